"""64b/66b as IEEE 802.3 clause 49 gives it, bit by bit and slowly: what the modules are held against.

A word is a list of eight (control, octet); a block is a list of 66 bits, the first on the line first.
"""

CODES = {0x07: 0x00, 0x06: 0x06, 0xFE: 0x1E, 0x1C: 0x2D, 0x3C: 0x33, 0x7C: 0x4B, 0xBC: 0x55, 0xDC: 0x66, 0xF7: 0x78}
CHARACTERS = {code: octet for octet, code in CODES.items()}
ORDERED = {0x9C: 0x0, 0x5C: 0xF}
TERMINATES = [0x87, 0x99, 0xAA, 0xB4, 0xCC, 0xD2, 0xE1, 0xFF]
START, TERMINATE, ERROR, IDLE = 0xFB, 0xFD, 0xFE, 0x07
IDLES = [(1, IDLE)] * 8
ERRORS = [(1, ERROR)] * 8
LOCAL_FAULT = [(1, 0x9C), (0, 0), (0, 0), (0, 1)] * 2


def bits(value: int, width: int) -> list[int]:
    return [value >> i & 1 for i in range(width)]


def number(some: list[int]) -> int:
    return sum(bit << i for i, bit in enumerate(some))


def lanes(data: int, control: int) -> list[tuple[int, int]]:
    """The word that `data` and `control` of a parallel XGMII are."""
    return [(control >> i & 1, data >> 8 * i & 0xFF) for i in range(8)]


def signals(word: list[tuple[int, int]]) -> tuple[int, int]:
    """The reverse of `lanes`."""
    return sum(o << 8 * i for i, (_, o) in enumerate(word)), sum(c << i for i, (c, _) in enumerate(word))


def _shape(half: list[tuple[int, int]]) -> str:
    """What four lanes are: C(ontrol), O(rdered set), S(tart), D(ata), or - for none of these."""
    controls = [c for c, _ in half]
    if controls == [0, 0, 0, 0]:
        return "D"
    if controls == [1, 0, 0, 0] and half[0][1] in ORDERED:
        return "O"
    if controls == [1, 0, 0, 0] and half[0][1] == START:
        return "S"
    return "C" if all(c and o in CODES for c, o in half) else "-"


# The types of blocks whose halves are neither data alone nor a terminate.
HALVES = {"CC": 0x1E, "CO": 0x2D, "CS": 0x33, "OC": 0x4B, "OO": 0x55, "OS": 0x66, "SD": 0x78}


def classify(word: list[tuple[int, int]]) -> str:
    """T_TYPE of a word."""
    shape = _shape(word[:4]) + _shape(word[4:])
    if shape == "DD":
        return "D"
    if shape in ("SD", "CS", "OS"):
        return "S"
    if shape in ("CO", "OC", "OO") or (shape == "CC" and ERROR not in [o for _, o in word]):
        return "C"
    for k, lane in enumerate(word):
        if lane == (1, TERMINATE):
            good = not any(c for c, _ in word[:k]) and all(c and o in CODES for c, o in word[k + 1 :])
            return "T" if good else "E"
    return "E"


def block_of(word: list[tuple[int, int]]) -> list[int]:
    """A word that is not of type E as a block."""
    if classify(word) == "D":
        return [0, 1] + [bit for _, octet in word for bit in bits(octet, 8)]
    made = [1, 0]
    if classify(word) == "T":
        k = word.index((1, TERMINATE))
        made += bits(TERMINATES[k], 8)
        for _, octet in word[:k]:
            made += bits(octet, 8)
        made += [0] * (7 - k)
        for _, octet in word[k + 1 :]:
            made += bits(CODES[octet], 7)
        return made
    first, second = _shape(word[:4]), _shape(word[4:])
    made += bits(HALVES[first + second], 8)
    data = [bit for _, octet in word[1:4] for bit in bits(octet, 8)]
    made += [bit for _, octet in word[:4] for bit in bits(CODES[octet], 7)] if first == "C" else data
    # Bits 36 to 39 of the payload: the codes of /O/ in lanes 0 and 4, or zeros.
    if first == "O":
        made += bits(ORDERED[word[0][1]], 4)
    if second == "O":
        made += bits(ORDERED[word[4][1]], 4)
    elif second == "S" or (first == "S"):
        made += [0] * (4 if second == "S" else 0)
    if second == "C":
        made += [bit for _, octet in word[4:] for bit in bits(CODES[octet], 7)]
    else:
        begin = 4 if first == "S" else 5
        made += [bit for _, octet in word[begin:] for bit in bits(octet, 8)]
    assert len(made) == 66, (word, len(made))
    return made


def word_of(block: list[int]) -> tuple[str, list[tuple[int, int]]]:
    """R_TYPE of a block and its word, which means nothing for type E."""
    header, payload = block[:2], block[2:]
    octets = [(0, number(payload[i : i + 8])) for i in range(0, 64, 8)]
    if header == [0, 1]:
        return "D", octets
    if header != [1, 0]:
        return "E", ERRORS
    kind = octets[0][1]
    controls = [(1, CHARACTERS.get(number(payload[8 + 7 * i : 15 + 7 * i]))) for i in range(8)]
    sets = {0x0: (1, 0x9C), 0xF: (1, 0x5C)}
    first_set = sets.get(number(payload[32:36]))
    second_set = sets.get(number(payload[36:40]))
    if kind in TERMINATES:
        k = TERMINATES.index(kind)
        word = octets[1 : k + 1] + [(1, TERMINATE)] + controls[k + 1 :]
        return ("E" if (1, None) in word else "T"), word
    words = {
        0x1E: ("C", controls),
        0x2D: ("C", controls[:4] + [second_set] + octets[5:]),
        0x33: ("S", controls[:4] + [(1, START)] + octets[5:]),
        0x4B: ("C", [first_set] + octets[1:4] + controls[4:]),
        0x55: ("C", [first_set] + octets[1:4] + [second_set] + octets[5:]),
        0x66: ("S", [first_set] + octets[1:4] + [(1, START)] + octets[5:]),
        0x78: ("S", [(1, START)] + octets[1:]),
    }
    if kind not in words:
        return "E", ERRORS
    made, word = words[kind]
    if None in word or (1, None) in word or (kind == 0x1E and (1, ERROR) in word):
        return "E", word
    return made, word


def encode(words: list) -> list:
    """Blocks of words, from reset on (figure 49-16)."""
    state, blocks = "INIT", []
    for word in words:
        kind = classify(word)
        if state in ("INIT", "C", "T"):
            state = {"S": "D", "C": "C"}.get(kind, "E")
        elif state == "D":
            state = {"D": "D", "T": "T"}.get(kind, "E")
        else:
            state = {"D": "D", "T": "T", "C": "C"}.get(kind, "E")
        blocks.append([1, 0] + bits(0x1E, 8) + bits(0x1E, 7) * 8 if state == "E" else block_of(word))
    return blocks


def decode(blocks: list) -> list:
    """Words of blocks, from the moment on at which there is a link (figure 49-17); one fewer, for the last one waits for
    what is behind it."""
    state, words = "INIT", []
    for block, behind in zip(blocks, blocks[1:]):
        kind, word = word_of(block)
        if kind == "T" and word_of(behind)[0] not in ("S", "C"):
            kind = "E"
        if state in ("INIT", "C", "T"):
            state = {"S": "D", "C": "C"}.get(kind, "E")
        elif state == "D":
            state = {"D": "D", "T": "T"}.get(kind, "E")
        else:
            state = {"D": "D", "T": "T", "C": "C"}.get(kind, "E")
        words.append(ERRORS if state == "E" else word)
    return words


class Scrambler:
    """1 + x^39 + x^58, a bit at a time; the state is of ones at first."""

    def __init__(self):
        self._sent = [1] * 58

    def scramble(self, block: list[int]) -> list[int]:
        payload = [self._step(bit) for bit in block[2:]]
        return block[:2] + payload

    def _step(self, bit: int) -> int:
        made = bit ^ self._sent[-39] ^ self._sent[-58]
        self._sent = self._sent[1:] + [made]
        return made

    def descramble(self, block: list[int]) -> list[int]:
        payload = []
        for bit in block[2:]:
            payload.append(bit ^ self._sent[-39] ^ self._sent[-58])
            self._sent = self._sent[1:] + [bit]
        return block[:2] + payload
