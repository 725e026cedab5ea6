//! Numbers by which programs and schemas name their parts.

/// Makes a type for each name: the index of something in the list of all such things.
#[macro_export]
macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in its list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
