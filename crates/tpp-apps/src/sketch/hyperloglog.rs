//! How many different elements, if they are many: HyperLogLog (Flajolet, Fusy, Gandouet, Meunier, AOFA 2007), with a hash
//! of 64 bits, so that large numbers need no correction. Few elements are counted by the registers that are still 0.

use super::OtherSize;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HyperLogLog {
    /// A power of two of them: the longest run of zero bits, and one, that an element of each has had.
    registers: Vec<u8>,
}

impl HyperLogLog {
    /// With `2^precision` registers of a byte, 4 to 16; numbers beyond are the nearest of these. The standard deviation of
    /// the estimate is `1.04 / sqrt(registers)` of the number.
    pub fn new(precision: u8) -> Self {
        Self { registers: vec![0; 1 << precision.clamp(4, 16)] }
    }

    /// Adds an element, given its hash.
    pub fn add(&mut self, hash: u64) {
        let precision = self.registers.len().trailing_zeros();
        let register = (hash >> (u64::BITS - precision)) as usize;
        let rest = hash << precision;
        let run = rest.leading_zeros().min(u64::BITS - precision) + 1;
        let found = &mut self.registers[register];
        *found = (*found).max(run as u8);
    }

    /// Adds all that another one has seen.
    ///
    /// # Errors
    /// It has another size.
    pub fn merge(&mut self, other: &Self) -> Result<(), OtherSize> {
        if self.registers.len() != other.registers.len() {
            return Err(OtherSize);
        }
        for (own, more) in self.registers.iter_mut().zip(&other.registers) {
            *own = (*own).max(*more);
        }
        Ok(())
    }

    /// About how many different elements it has seen.
    pub fn estimate(&self) -> f64 {
        let count = self.registers.len() as f64;
        let sum: f64 = self.registers.iter().map(|run| (-f64::from(*run)).exp2()).sum();
        // The paper's figure 3.
        let alpha = match self.registers.len() {
            16 => 0.673,
            32 => 0.697,
            64 => 0.709,
            _ => 0.7213 / (1.0 + 1.079 / count),
        };
        let raw = alpha * count * count / sum;
        let zeros = self.registers.iter().filter(|run| **run == 0).count();
        match zeros {
            1.. if raw <= 2.5 * count => count * (count / zeros as f64).ln(),
            _ => raw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;

    /// 1024 registers: 3.25 %. Every size within three standard deviations.
    #[test]
    fn few_and_many() {
        for number in [10u64, 1000, 2500, 5000, 100_000, 2_000_000] {
            let mut sketch = HyperLogLog::new(10);
            (0..number).for_each(|element| sketch.add(hash(element)));
            let found = sketch.estimate();
            assert!((found / number as f64 - 1.0).abs() < 3.0 * 0.0325, "{number}: {found}");
        }
        assert_eq!(HyperLogLog::new(10).estimate(), 0.0);
    }

    /// By hand: 16 registers, the first four bits choose; a rest of 0001... has a run of three zeros and one.
    #[test]
    fn registers_by_hand() {
        let mut sketch = HyperLogLog::new(4);
        sketch.add(0x5100_0000_0000_0000);
        sketch.add(0xf000_0000_0000_0000);
        assert_eq!((sketch.registers[5], sketch.registers[15]), (4, 61));
        let mut other = HyperLogLog::new(4);
        other.add(0x5800_0000_0000_0000);
        other.merge(&sketch).expect("of one size");
        assert_eq!(other, sketch);
        assert_eq!(other.merge(&HyperLogLog::new(5)), Err(OtherSize));
    }
}
