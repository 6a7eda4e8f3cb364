// A drawn board that a script changes: checkers, pips and the description in words, the same as rules/board.py and
// tournament/pages/tags/board.py make. A page that uses it loads this file before its own script.
"use strict";

const BAR = 25, OFF = 0, CHECKERS = 15;

class Board {
  static TALLEST = 5;
  static RADIUS = 20.5;
  static SIDES = ["mine", "theirs"];

  // A side is an array of its checkers, indexed by its own points; as text it looks like "bar:1 24:2".
  static read(text) {
    const points = new Array(BAR + 1).fill(0);
    for (const part of text.split(" ").filter(Boolean)) {
      const [point, number] = part.split(":");
      points[point === "bar" ? BAR : Number(point)] = Number(number);
    }
    points[OFF] = CHECKERS - points.reduce((sum, number) => sum + number, 0);
    return points;
  }

  static write(points) {
    const held = [];
    for (let point = BAR; point > OFF; point -= 1) {
      if (points[point]) held.push(`${point === BAR ? "bar" : point}:${points[point]}`);
    }
    return held.join(" ");
  }

  static position(element) {
    return { mine: Board.read(element.dataset.mine), theirs: Board.read(element.dataset.theirs) };
  }

  static fill(template, values) {
    return template.replace(/%\((\w+)\)s/g, (_found, name) => values[name]);
  }

  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector("svg.board");
    this.layer = this.svg.querySelector(".checkers");
    this.spots = new Map([...this.svg.querySelectorAll("[data-spot]")].map((spot) => [spot.dataset.spot, spot]));
    this.words = JSON.parse(figure.dataset.words);
  }

  spotOf(side, point) {
    if (point === OFF || point === BAR) return this.spots.get(`${side}-${point}`);
    return this.spots.get(String(side === "mine" ? point : BAR - point));
  }

  // The places that a spot stands for: a point, numbered from both sides, or one side's bar or tray.
  static places(spot) {
    const [side, own] = spot.split("-");
    if (own !== undefined) return [{ side, point: Number(own) }];
    const point = Number(spot);
    return [{ side: "mine", point }, { side: "theirs", point: BAR - point }];
  }

  shape(name, kind, attributes) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    made.setAttribute("class", kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // Draw the position and, given the position before a play, mark what the play changed.
  draw(position, before = position) {
    this.layer.replaceChildren();
    for (const side of Board.SIDES) {
      for (let point = OFF; point <= BAR; point += 1) {
        this.drawPlace(side, point, position[side][point], before[side][point]);
      }
      const pips = this.figure.querySelector(`[data-pips="${side}"]`);
      if (pips) pips.textContent = Board.pips(position[side]);
    }
    this.svg.querySelector("title").textContent = position === before ? this.words.title : this.words.after;
    this.svg.querySelector("desc").textContent = this.describe(position);
  }

  drawPlace(side, point, number, had) {
    const spot = this.spotOf(side, point);
    const x = Number(spot.dataset.x), y = Number(spot.dataset.y), step = Number(spot.dataset.step);
    if (point === OFF) {
      const height = Math.abs(step), left = Number(spot.getAttribute("x")), width = Number(spot.getAttribute("width"));
      for (let i = 0; i < number; i += 1) {
        this.layer.append(this.shape("rect", `checker slab ${side}${i >= had ? " new" : ""}`, {
          x: left + 5, y: y + i * step - height / 2 + 1, width: width - 10, height: height - 2, rx: 3,
        }));
      }
      return;
    }
    for (let i = 0; i < Math.min(number, Board.TALLEST); i += 1) {
      const isNew = number > had && i >= Math.min(had, Board.TALLEST - 1);
      this.layer.append(this.shape("circle", `checker ${side}${isNew ? " new" : ""}`, {
        cx: x, cy: y + i * step, r: Board.RADIUS, "stroke-width": 2,
      }));
    }
    if (number > Board.TALLEST) {
      const label = this.shape("text", `count ${side}`, { x, y: y + (Board.TALLEST - 1) * step + 7 });
      label.textContent = number;
      this.layer.append(label);
    }
    if (side === "mine") {
      for (let i = number; i < Math.min(had, Board.TALLEST); i += 1) {
        this.layer.append(this.shape("circle", "ghost", {
          cx: x, cy: y + i * step, r: Board.RADIUS - 1.5, fill: "none", "stroke-width": 2, "stroke-dasharray": "5 5",
        }));
      }
    }
  }

  static pips(points) {
    return points.reduce((sum, number, point) => sum + number * point, 0);
  }

  describe(position) {
    const sides = Board.SIDES.map((side) => {
      const points = position[side], pips = Board.pips(points), held = [];
      if (points[BAR]) held.push(Board.fill(this.words.bar, { number: points[BAR] }));
      for (let point = BAR - 1; point > OFF; point -= 1) {
        if (points[point]) held.push(Board.fill(this.words.on, { number: points[point], point }));
      }
      if (points[OFF]) held.push(Board.fill(this.words.off, { number: points[OFF] }));
      const template = pips === 1 ? this.words.pip : this.words.pips;
      return Board.fill(template, { who: this.words[side], checkers: held.join(", "), pips });
    });
    return [...sides, ...this.words.more].join(" ");
  }
}
