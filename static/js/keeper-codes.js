// Keys, hashes and signatures for pages on plain http, where a browser offers neither crypto.randomUUID nor
// crypto.subtle: SHA-256 (FIPS 180-4), HMAC (RFC 2104) and base64url (RFC 4648).
"use strict";

const Codes = (() => {
  const ROUNDS = firstPrimes(64).map((prime) => fraction(Math.cbrt(prime)));
  const START = firstPrimes(8).map((prime) => fraction(Math.sqrt(prime)));
  const BLOCK = 64;

  function firstPrimes(count) {
    const found = [];
    for (let number = 2; found.length < count; number += 1) {
      if (found.every((prime) => number % prime)) found.push(number);
    }
    return found;
  }

  function fraction(root) {
    return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  }

  function bytes(text) {
    return new TextEncoder().encode(text);
  }

  function sha256(message) {
    const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
    view.setUint32(padded.length - 4, (message.length * 8) >>> 0);
    let state = START;
    for (let at = 0; at < padded.length; at += BLOCK) state = compressed(state, view, at);
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => digest.setUint32(index * 4, word));
    return new Uint8Array(digest.buffer);
  }

  function compressed(state, view, at) {
    const turn = (word, by) => (word >>> by) | (word << (32 - by));
    const words = Array.from({ length: 16 }, (_, index) => view.getUint32(at + index * 4));
    for (let index = 16; index < 64; index += 1) {
      const [early, late] = [words[index - 15], words[index - 2]];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[index] = (words[index - 16] + first + words[index - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index += 1) {
      const mixed = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const one = (h + mixed + ROUNDS[index] + words[index]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) >>> 0);
  }

  function hmac(key, message) {
    const short = key.length > BLOCK ? sha256(key) : key;
    const padded = new Uint8Array(BLOCK);
    padded.set(short);
    const inner = sha256(joined(padded.map((byte) => byte ^ 0x36), message));
    return sha256(joined(padded.map((byte) => byte ^ 0x5c), inner));
  }

  function joined(one, other) {
    const both = new Uint8Array(one.length + other.length);
    both.set(one);
    both.set(other, one.length);
    return both;
  }

  function toBase64url(data) {
    const text = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  /* Throws if the text is not base64url. */
  function fromBase64url(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  }

  /* A key of 128 random bits, as 32 hexadecimal digits. */
  function newKey() {
    const random = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  return { bytes, sha256, hmac, toBase64url, fromBase64url, newKey };
})();
