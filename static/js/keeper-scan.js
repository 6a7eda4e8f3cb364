// Reads QR codes from pictures of a camera, for browsers that do not do so themselves: codes as keeper-qr.js draws them,
// with bytes at level L (ISO/IEC 18004), turned and seen at an angle.
"use strict";

const Scan = (() => {
  const { EXP, LOG, times, frame, path, MASKS, formatOf, layoutOf, countBits, bitsOf } = Qr.parts;
  const FINDER = [1, 1, 3, 1, 1];
  const MOST_CANDIDATES = 10;
  const MOST_TRIPLES = 12;

  const apart = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);
  const between = (p, q, share) => ({ x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share });

  /* {width, height, dark(x, y)} of a picture: dark is what is darker than its surroundings, however the light falls. */
  function binary({ data, width, height }) {
    const sums = new Uint32Array((width + 1) * (height + 1));
    const grey = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      let row = 0;
      for (let x = 0; x < width; x += 1) {
        const at = y * width + x;
        grey[at] = (data[at * 4] * 2 + data[at * 4 + 1] * 5 + data[at * 4 + 2]) >> 3;
        row += grey[at];
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
      }
    }
    const reach = Math.max(8, Math.round(Math.min(width, height) / 12));
    const bits = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
      for (let x = 0; x < width; x += 1) {
        const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
        const sum = sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
          - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left];
        bits[y * width + x] = grey[y * width + x] * (bottom - top) * (right - left) < sum * 0.94 ? 1 : 0;
      }
    }
    const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height;
    const dark = (x, y) => (inside(Math.floor(x), Math.floor(y)) ? bits[Math.floor(y) * width + Math.floor(x)] : 0);
    return { width, height, inside, dark };
  }

  function fits(runs) {
    const unit = runs.reduce((sum, run) => sum + run, 0) / 7;
    return unit >= 1 && runs.every((run, index) => Math.abs(run - unit * FINDER[index]) < unit * 0.7 * FINDER[index]);
  }

  /* The middle of a finder pattern and its width on a line through this point, or null. */
  function crossed(seen, x, y, dx, dy) {
    const arm = (fromX, fromY, stepX, stepY) => {
      const runs = [0, 0, 0];
      let part = 0;
      for (let [atX, atY] = [fromX, fromY]; seen.inside(atX, atY); [atX, atY] = [atX + stepX, atY + stepY]) {
        if (seen.dark(atX, atY) !== (part + 1) % 2) part += 1;
        if (part === 3) break;
        runs[part] += 1;
      }
      return runs;
    };
    const [back, forth] = [arm(x, y, -dx, -dy), arm(x + dx, y + dy, dx, dy)];
    const runs = [back[2], back[1], back[0] + forth[0], forth[1], forth[2]];
    if (!fits(runs)) return null;
    const aside = (forth[0] - back[0] + 1) / 2;
    return { x: x + dx * aside, y: y + dy * aside, width: runs.reduce((sum, run) => sum + run, 0) };
  }

  /* What looks like a finder pattern on several lines, most lines first. */
  function finders(seen) {
    const found = [];
    for (let y = 0; y < seen.height; y += 2) {
      let starts = [0];
      for (let x = 1; x <= seen.width; x += 1) {
        if (x < seen.width && seen.dark(x, y) === seen.dark(x - 1, y)) continue;
        starts.push(x);
        starts = starts.slice(-6);
        if (starts.length < 6 || !seen.dark(x - 1, y)) continue;
        if (!fits(starts.slice(1).map((end, index) => end - starts[index]))) continue;
        note(found, seen, Math.floor((starts[2] + starts[3]) / 2), y);
      }
    }
    return found.filter((one) => one.lines > 1).sort((p, q) => q.lines - p.lines).slice(0, MOST_CANDIDATES);
  }

  function note(found, seen, x, y) {
    const up = crossed(seen, x, y, 0, 1);
    const across = up && crossed(seen, x, Math.floor(up.y), 1, 0);
    if (!across) return;
    const here = { x: across.x, y: up.y, width: (up.width + across.width) / 2, lines: 1 };
    const known = found.find((one) => apart(one, here) < one.width / 3);
    if (!known) return found.push(here);
    const share = 1 / (known.lines + 1);
    Object.assign(known, between(known, here, share), { lines: known.lines + 1 });
  }

  /* Three patterns as the corners of a square: top left, top right and bottom left, the likeliest first. */
  function corners(found) {
    const triples = [];
    for (let i = 0; i < found.length; i += 1) {
      for (let j = i + 1; j < found.length; j += 1) {
        for (let k = j + 1; k < found.length; k += 1) triples.push(cornered([found[i], found[j], found[k]]));
      }
    }
    return triples.sort((p, q) => p.doubt - q.doubt).slice(0, MOST_TRIPLES);
  }

  function cornered(three) {
    const longest = [[0, 1, 2], [0, 2, 1], [1, 2, 0]].reduce((best, next) =>
      (apart(three[next[0]], three[next[1]]) > apart(three[best[0]], three[best[1]]) ? next : best));
    let [right, below, corner] = longest.map((index) => three[index]);
    const turn = (right.x - corner.x) * (below.y - corner.y) - (right.y - corner.y) * (below.x - corner.x);
    if (turn < 0) [right, below] = [below, right];
    const sides = [apart(corner, right), apart(corner, below), apart(right, below) / Math.SQRT2];
    const widths = three.map((one) => one.width);
    const spread = (values) => (Math.max(...values) - Math.min(...values)) / Math.max(...values);
    return { corner, right, below, doubt: spread(sides) + spread(widths) };
  }

  /* How large a module is on the line from one pattern to another. */
  function moduleOn(seen, from, to) {
    const reach = (sign) => {
      const length = apart(from, to);
      const step = { x: (sign * (to.x - from.x)) / length / 4, y: (sign * (to.y - from.y)) / length / 4 };
      let [turns, was] = [0, 1];
      for (let count = 0; count < length * 4; count += 1) {
        const is = seen.dark(from.x + step.x * count, from.y + step.y * count);
        if (is !== was) [turns, was] = [turns + 1, is];
        if (turns === 3) return count / 4;
      }
      return length;
    };
    return (reach(1) + reach(-1)) / 7;
  }

  /* The middle of the alignment pattern at the fourth corner, which says how the code is tilted; null if none is seen. */
  function alignment(seen, { corner, right, below }, size) {
    const share = (size - 10) / (size - 7);
    const [ux, uy] = [right, below].map((end) => ({ x: (end.x - corner.x) / (size - 7), y: (end.y - corner.y) / (size - 7) }));
    const middle = { x: corner.x + share * (right.x + below.x - 2 * corner.x), y: corner.y + share * (right.y + below.y - 2 * corner.y) };
    const unit = (Math.hypot(ux.x, ux.y) + Math.hypot(uy.x, uy.y)) / 2;
    const far = unit * Math.max(4, size / 8);
    const step = Math.max(1, unit / 4);
    let best = { score: 21, at: [] };
    for (let y = middle.y - far; y <= middle.y + far; y += step) {
      for (let x = middle.x - far; x <= middle.x + far; x += step) {
        if (!seen.dark(x, y)) continue;
        let score = 0;
        for (let i = -2; i <= 2; i += 1) {
          for (let j = -2; j <= 2; j += 1) {
            const isDark = Math.max(Math.abs(i), Math.abs(j)) !== 1 ? 1 : 0;
            if (seen.dark(x + ux.x * i + uy.x * j, y + ux.y * i + uy.y * j) === isDark) score += 1;
          }
        }
        if (score > best.score) best = { score, at: [] };
        if (score === best.score) best.at.push({ x, y });
      }
    }
    if (!best.at.length) return null;
    const nearest = best.at.reduce((one, other) => (apart(other, middle) < apart(one, middle) ? other : one));
    const there = best.at.filter((one) => apart(one, nearest) < unit * 1.5);
    const mean = (key) => there.reduce((sum, one) => sum + one[key], 0) / there.length;
    return { x: mean("x"), y: mean("y") };
  }

  /* The projection that takes these four points of the code to those of the picture. */
  function projection(code, picture) {
    const rows = code.flatMap(({ x, y }, index) => {
      const to = picture[index];
      return [[x, y, 1, 0, 0, 0, -x * to.x, -y * to.x, to.x], [0, 0, 0, x, y, 1, -x * to.y, -y * to.y, to.y]];
    });
    for (let column = 0; column < 8; column += 1) {
      let pivot = column;
      for (let row = column; row < 8; row += 1) if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
      [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
      for (let row = 0; row < 8; row += 1) {
        if (row === column) continue;
        const factor = rows[row][column] / rows[column][column];
        for (let at = column; at < 9; at += 1) rows[row][at] -= factor * rows[column][at];
      }
    }
    const [a, b, c, d, e, f, g, h] = rows.map((row, index) => row[8] / row[index]);
    return (x, y) => ({ x: (a * x + b * y + c) / (g * x + h * y + 1), y: (d * x + e * y + f) / (g * x + h * y + 1) });
  }

  function sampled(seen, three, size) {
    const fourth = size > 21 ? alignment(seen, three, size) : null;
    const { corner, right, below } = three;
    const last = fourth ?? { x: right.x + below.x - corner.x, y: right.y + below.y - corner.y };
    const inset = fourth ? 6.5 : 3.5;
    const code = [[3.5, 3.5], [size - 3.5, 3.5], [3.5, size - 3.5], [size - inset, size - inset]].map(([x, y]) => ({ x, y }));
    const place = projection(code, [corner, right, below, last]);
    return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (__, x) => {
      const at = place(x + 0.5, y + 0.5);
      return seen.dark(at.x, at.y);
    }));
  }

  /* The mask that both copies of the format name, or -1: each may have three bits wrong. */
  function maskOf(modules) {
    const size = modules.length;
    const first = [0, 1, 2, 3, 4, 5, 7, 8].map((y) => modules[y][8]);
    first.push(modules[8][7], ...[9, 10, 11, 12, 13, 14].map((index) => modules[8][14 - index]));
    const second = Array.from({ length: 15 }, (_, index) =>
      (index < 8 ? modules[8][size - 1 - index] : modules[size - 15 + index][8]));
    const wrong = MASKS.map((_, mask) => Math.min(...[first, second].map((copy) =>
      copy.filter((bit, index) => bit !== ((formatOf(mask) >>> index) & 1)).length)));
    const least = Math.min(...wrong);
    return least <= 3 ? wrong.indexOf(least) : -1;
  }

  /* The codewords of a block with what was read wrong put right, or null if that is too much (Reed-Solomon). */
  function corrected(block, count) {
    const word = [...block];
    const at = (x) => word.reduce((sum, byte) => times(sum, x) ^ byte, 0);
    const syndromes = Array.from({ length: count }, (_, index) => at(EXP[index]));
    if (!syndromes.some(Boolean)) return word;
    const over = (a, b) => (a ? EXP[(LOG[a] + 255 - LOG[b]) % 255] : 0);
    let [locator, before, errors, shift, last] = [[1], [1], 0, 1, 1];
    for (let index = 0; index < count; index += 1) {
      let gap = 0;
      for (let j = 0; j <= errors; j += 1) gap ^= times(locator[j] ?? 0, syndromes[index - j]);
      if (!gap) {
        shift += 1;
        continue;
      }
      const next = Array.from({ length: Math.max(locator.length, before.length + shift) }, (_, j) =>
        (locator[j] ?? 0) ^ times(over(gap, last), before[j - shift] ?? 0));
      if (2 * errors <= index) [before, errors, last, shift] = [locator, index + 1 - errors, gap, 1];
      else shift += 1;
      locator = next;
    }
    const value = (polynomial, x) => polynomial.reduceRight((sum, factor) => times(sum, x) ^ factor, 0);
    const evaluator = Array.from({ length: count }, (_, power) =>
      locator.slice(0, power + 1).reduce((sum, factor, j) => sum ^ times(factor, syndromes[power - j]), 0));
    const slope = locator.map((factor, power) => (power % 2 ? factor : 0)).slice(1);
    for (let power = 0; power < word.length; power += 1) {
      const inverse = EXP[(255 - power) % 255];
      if (value(locator, inverse)) continue;
      word[word.length - 1 - power] ^= times(EXP[power], over(value(evaluator, inverse), value(slope, inverse)));
    }
    return syndromes.some((_, index) => at(EXP[index])) ? null : word;
  }

  /* The text of a code's modules, or null. */
  function text(modules) {
    const size = modules.length;
    const version = (size - 17) / 4;
    const mask = maskOf(modules);
    if (mask < 0) return null;
    const bits = path(frame(version)).map(([x, y]) => modules[y][x] ^ (MASKS[mask](x, y) === 0 ? 1 : 0));
    const { lengths, correction } = layoutOf(version);
    const blocks = lengths.map(() => []);
    const checks = lengths.map(() => []);
    let read = 0;
    const byte = () => parseInt(bits.slice(read, (read += 8)).join(""), 2);
    for (let index = 0; index < Math.max(...lengths); index += 1) {
      lengths.forEach((length, block) => { if (index < length) blocks[block].push(byte()); });
    }
    for (let index = 0; index < correction; index += 1) checks.forEach((check) => check.push(byte()));
    const data = [];
    for (const [index, block] of blocks.entries()) {
      const right = corrected([...block, ...checks[index]], correction);
      if (!right) return null;
      data.push(...right.slice(0, block.length));
    }
    const all = bitsOf(data);
    const number = (from, count) => parseInt(all.slice(from, from + count).join(""), 2);
    const start = 4 + countBits(version);
    const length = number(4, countBits(version));
    if (number(0, 4) !== 4 || start + length * 8 > all.length) return null;
    return new TextDecoder().decode(Uint8Array.from({ length }, (_, index) => number(start + index * 8, 8)));
  }

  /* The text of a code in the picture (an ImageData), or null if none can be read. */
  function read(picture) {
    const seen = binary(picture);
    for (const three of corners(finders(seen))) {
      const { corner, right, below } = three;
      const across = (apart(corner, right) * 2) / (moduleOn(seen, corner, right) + moduleOn(seen, right, corner));
      const down = (apart(corner, below) * 2) / (moduleOn(seen, corner, below) + moduleOn(seen, below, corner));
      const version = Math.round(((across + down) / 2 + 7 - 17) / 4);
      for (const tried of [version, version - 1, version + 1]) {
        if (!(tried >= 1 && tried <= 40)) continue;
        const found = text(sampled(seen, three, tried * 4 + 17));
        if (found !== null) return found;
      }
    }
    return null;
  }

  return { read };
})();
