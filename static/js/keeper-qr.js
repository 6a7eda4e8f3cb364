// QR codes (ISO/IEC 18004): bytes at error level L, versions 1 to 40, drawn as the path of an SVG.
"use strict";

const Qr = (() => {
  /* For versions 1 to 40 at level L: error correction codewords of each block, and blocks. */
  const CORRECTION = [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
    28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ];
  const BLOCKS = [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
    8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
  ];
  const LEVEL_L = 1;
  const MASKS = [
    (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
  ];

  /* The arithmetic of the field with 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1 */
  const EXP = [1];
  for (let index = 1; index < 255; index += 1) EXP.push((EXP[index - 1] << 1) ^ (EXP[index - 1] > 127 ? 0x11d : 0));
  const LOG = [];
  EXP.forEach((value, index) => { LOG[value] = index; });
  const times = (a, b) => (a && b ? EXP[(LOG[a] + LOG[b]) % 255] : 0);

  /* The generator polynomial of this degree, without its leading 1. */
  function generator(degree) {
    let found = [1];
    for (let root = 0; root < degree; root += 1) {
      const next = [...found, 0];
      found.forEach((value, index) => { next[index + 1] ^= times(value, EXP[root]); });
      found = next;
    }
    return found.slice(1);
  }

  function remainder(data, divisor) {
    const rest = divisor.map(() => 0);
    for (const byte of data) {
      const factor = byte ^ rest.shift();
      rest.push(0);
      divisor.forEach((value, index) => { rest[index] ^= times(value, factor); });
    }
    return rest;
  }

  const sizeOf = (version) => version * 4 + 17;

  function alignments(version) {
    if (version === 1) return [];
    const count = Math.floor(version / 7) + 2;
    const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
    const found = [6];
    for (let at = sizeOf(version) - 7; found.length < count; at -= step) found.splice(1, 0, at);
    return found;
  }

  /* How many bits of data and correction fit. */
  function room(version) {
    let bits = (16 * version + 128) * version + 64;
    if (version >= 2) {
      const count = Math.floor(version / 7) + 2;
      bits -= (25 * count - 10) * count - 55;
      if (version >= 7) bits -= 36;
    }
    return bits;
  }

  const codewords = (version) => Math.floor(room(version) / 8);
  const dataCodewords = (version) => codewords(version) - CORRECTION[version - 1] * BLOCKS[version - 1];
  const countBits = (version) => (version < 10 ? 8 : 16);

  function versionFor(length) {
    for (let version = 1; version <= 40; version += 1) {
      if (4 + countBits(version) + length * 8 <= dataCodewords(version) * 8) return version;
    }
    throw new RangeError("too long for a QR code");
  }

  function encoded(data, version) {
    const bits = [];
    const add = (value, count) => {
      for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
    };
    add(4, 4);
    add(data.length, countBits(version));
    for (const byte of data) add(byte, 8);
    const most = dataCodewords(version) * 8;
    add(0, Math.min(4, most - bits.length));
    add(0, (8 - (bits.length % 8)) % 8);
    for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) add(pad, 8);
    const found = [];
    for (let at = 0; at < bits.length; at += 8) found.push(parseInt(bits.slice(at, at + 8).join(""), 2));
    return found;
  }

  /* How many codewords of data each block has, and how many of correction each of them. */
  function layoutOf(version) {
    const [blocks, correction] = [BLOCKS[version - 1], CORRECTION[version - 1]];
    const total = codewords(version);
    const short = Math.floor(total / blocks) - correction;
    const lengths = Array.from({ length: blocks }, (_, block) => short + (block >= blocks - (total % blocks) ? 1 : 0));
    return { lengths, correction };
  }

  /* The codewords of all blocks, each with its correction, taken in turn. */
  function interleaved(data, version) {
    const { lengths, correction } = layoutOf(version);
    const divisor = generator(correction);
    const parts = [];
    let at = 0;
    for (const length of lengths) {
      const part = data.slice(at, at + length);
      parts.push({ part, check: remainder(part, divisor) });
      at += length;
    }
    const found = [];
    for (let index = 0; index < Math.max(...lengths); index += 1) for (const { part } of parts) if (index < part.length) found.push(part[index]);
    for (let index = 0; index < correction; index += 1) for (const { check } of parts) found.push(check[index]);
    return found;
  }

  /* The modules that are the same for all data; those of data are undefined. */
  function frame(version) {
    const size = sizeOf(version);
    const modules = Array.from({ length: size }, () => Array(size).fill(undefined));
    const set = (x, y, dark) => { if (x >= 0 && y >= 0 && x < size && y < size) modules[y][x] = dark ? 1 : 0; };
    for (let index = 0; index < size; index += 1) {
      set(6, index, index % 2 === 0);
      set(index, 6, index % 2 === 0);
    }
    for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
      for (let dy = -4; dy <= 4; dy += 1) {
        for (let dx = -4; dx <= 4; dx += 1) {
          const ring = Math.max(Math.abs(dx), Math.abs(dy));
          set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
        }
      }
    }
    const centres = alignments(version);
    const last = centres.length - 1;
    centres.forEach((cx, i) => centres.forEach((cy, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dy = -2; dy <= 2; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }));
    setFormat(modules, 0);
    if (version >= 7) setVersion(modules, version);
    return modules;
  }

  const checked = (value, degree, divisor) => {
    let rest = value;
    for (let index = 0; index < degree; index += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * divisor);
    return (value << degree) | rest;
  };

  const formatOf = (mask) => checked((LEVEL_L << 3) | mask, 10, 0x537) ^ 0x5412;

  function setFormat(modules, mask) {
    const size = modules.length;
    const bits = formatOf(mask);
    const bit = (index) => (bits >>> index) & 1;
    for (let index = 0; index <= 5; index += 1) modules[index][8] = bit(index);
    [modules[7][8], modules[8][8], modules[8][7]] = [bit(6), bit(7), bit(8)];
    for (let index = 9; index < 15; index += 1) modules[8][14 - index] = bit(index);
    for (let index = 0; index < 8; index += 1) modules[8][size - 1 - index] = bit(index);
    for (let index = 8; index < 15; index += 1) modules[size - 15 + index][8] = bit(index);
    modules[size - 8][8] = 1;
  }

  function setVersion(modules, version) {
    const size = modules.length;
    const bits = checked(version, 12, 0x1f25);
    for (let index = 0; index < 18; index += 1) {
      const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)];
      modules[near][far] = modules[far][near] = (bits >>> index) & 1;
    }
  }

  /* The places of the data, [x, y], in their order. */
  function path(empty) {
    const size = empty.length;
    const found = [];
    for (let right = size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < size; step += 1) {
        for (const x of [right, right - 1]) {
          const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
          if (empty[y][x] === undefined) found.push([x, y]);
        }
      }
    }
    return found;
  }

  const bitsOf = (bytes) => bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >>> bit) & 1));

  function filled(empty, data, mask) {
    const modules = empty.map((row) => [...row]);
    const bits = bitsOf(data);
    path(empty).forEach(([x, y], index) => {
      modules[y][x] = (bits[index] ?? 0) ^ (MASKS[mask](x, y) === 0 ? 1 : 0);
    });
    setFormat(modules, mask);
    return modules;
  }

  /* How hard the modules are to read: the lower the better. */
  function penalty(modules) {
    const size = modules.length;
    const columns = modules.map((_, x) => modules.map((row) => row[x]));
    let found = 0;
    for (const line of [...modules, ...columns]) {
      const text = line.join("");
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) found += run.length - 2;
      for (const pattern of ["10111010000", "00001011101"]) {
        for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) found += 40;
      }
    }
    let dark = 0;
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) {
        dark += modules[y][x];
        if (x && y && modules[y][x] === modules[y - 1][x] && modules[y][x] === modules[y][x - 1]
          && modules[y][x] === modules[y - 1][x - 1]) found += 3;
      }
    }
    return found + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
  }

  /* {version, mask, modules} of the code with these bytes. Throws a RangeError for more than 2,953. */
  function code(bytes) {
    const version = versionFor(bytes.length);
    const data = interleaved(encoded([...bytes], version), version);
    const empty = frame(version);
    const tried = MASKS.map((_, mask) => filled(empty, data, mask));
    const scores = tried.map(penalty);
    const mask = scores.indexOf(Math.min(...scores));
    return { version, mask, modules: tried[mask] };
  }

  /* An SVG of the text with the quiet zone around it, dark on white whatever the page's colours are. */
  function svg(text, label) {
    const { modules } = code(new TextEncoder().encode(text));
    const QUIET = 4;
    const side = modules.length + 2 * QUIET;
    const runs = modules.flatMap((row, y) =>
      [...row.join("").matchAll(/1+/g)].map((run) => `M${run.index + QUIET} ${y + QUIET}h${run[0].length}v1h-${run[0].length}z`));
    const make = (name, attributes) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    };
    const drawn = make("svg", { "data-address": text, viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
    drawn.append(make("path", { d: `M0 0h${side}v${side}H0z`, fill: "#fff" }), make("path", { d: runs.join(""), fill: "#000" }));
    return drawn;
  }

  const parts = { EXP, LOG, times, frame, path, MASKS, formatOf, layoutOf, countBits, bitsOf };

  return { code, svg, parts };
})();
