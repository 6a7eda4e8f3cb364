// The board of the rules page: checkers are dragged or tapped to their places, and a play in the list is shown when
// one points at it. Without it ids, points and links do the same.
"use strict";

(() => {
  const desk = document.querySelector("[data-rules-desk]");
  if (!desk) return;
  const BAR = 25, OFF = 0, ALL = 15, TALLEST = 5, RADIUS = 20.5;
  const figure = desk.querySelector("[data-board]");
  const svg = figure.querySelector("svg.board");
  const layer = svg.querySelector(".checkers");
  const spots = new Map([...svg.querySelectorAll("[data-spot]")].map((spot) => [spot.dataset.spot, spot]));
  const sides = ["mine", "theirs"];
  document.documentElement.classList.add("has-script");

  // A side is its checkers by own point, read from and written to texts such as "bar:1 24:2".
  function read(text) {
    const points = new Array(BAR + 1).fill(0);
    for (const part of text.split(" ").filter(Boolean)) {
      const [point, number] = part.split(":");
      points[point === "bar" ? BAR : Number(point)] = Number(number);
    }
    points[OFF] = ALL - points.reduce((sum, number) => sum + number, 0);
    return points;
  }
  function write(points) {
    const held = [];
    for (let point = BAR; point > OFF; point -= 1) {
      if (points[point]) held.push(`${point === BAR ? "bar" : point}:${points[point]}`);
    }
    return held.join(" ");
  }
  const boardOf = (element) => ({ mine: read(element.dataset.mine), theirs: read(element.dataset.theirs) });
  const pips = (points) => points.reduce((sum, number, point) => sum + number * point, 0);

  // Drawing, as rules/board.py does it
  function element(name, kind, attributes) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    made.setAttribute("class", kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }
  function spotOf(side, point) {
    if (point === OFF || point === BAR) return spots.get(`${side}-${point}`);
    return spots.get(String(side === "mine" ? point : BAR - point));
  }
  function draw(board, before = board) {
    layer.replaceChildren();
    for (const side of sides) {
      for (let point = OFF; point <= BAR; point += 1) {
        const number = board[side][point], had = before[side][point];
        const spot = spotOf(side, point);
        const x = Number(spot.dataset.x), y = Number(spot.dataset.y), step = Number(spot.dataset.step);
        if (point === OFF) {
          const height = Math.abs(step), left = Number(spot.getAttribute("x")), width = Number(spot.getAttribute("width"));
          for (let i = 0; i < number; i += 1) {
            layer.append(element("rect", `checker slab ${side}${i >= had ? " new" : ""}`, {
              x: left + 5, y: y + i * step - height / 2 + 1, width: width - 10, height: height - 2, rx: 3,
            }));
          }
          continue;
        }
        for (let i = 0; i < Math.min(number, TALLEST); i += 1) {
          const isNew = number > had && i >= Math.min(had, TALLEST - 1);
          layer.append(element("circle", `checker ${side}${isNew ? " new" : ""}`, { cx: x, cy: y + i * step, r: RADIUS, "stroke-width": 2 }));
        }
        if (number > TALLEST) {
          const label = element("text", `count ${side}`, { x, y: y + (TALLEST - 1) * step + 7 });
          label.textContent = number;
          layer.append(label);
        }
        if (side === "mine") {
          for (let i = number; i < Math.min(had, TALLEST); i += 1) {
            layer.append(element("circle", "ghost", { cx: x, cy: y + i * step, r: RADIUS - 1.5, fill: "none", "stroke-width": 2, "stroke-dasharray": "5 5" }));
          }
        }
      }
      figure.querySelector(`[data-pips="${side}"]`).textContent = pips(board[side]);
    }
  }

  // Looking at plays
  const position = boardOf(figure);
  const links = [...desk.querySelectorAll("[data-play]")];
  let chosen = links.find((link) => link.hasAttribute("aria-current")) || null;
  let edited = false;
  let looking = chosen !== null;
  function look(link) {
    if (edited) return;
    looking = link !== null;
    if (link) draw(boardOf(link), position);
    else draw(position);
    for (const other of links) other.classList.toggle("is-shown", other === link);
  }
  function choose(link) {
    chosen = link;
    for (const other of links) {
      if (other === link) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
    }
    const address = new URL(location.href);
    address.searchParams.delete("show");
    address.searchParams.delete("play");
    if (link) address.searchParams.set("show", new URL(link.href).searchParams.get("show"));
    history.replaceState(null, "", address);
    look(link);
  }
  for (const link of links) {
    link.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") look(link); });
    link.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") look(chosen); });
    link.addEventListener("focus", () => look(link));
    link.addEventListener("blur", () => look(chosen));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || edited) return;
      event.preventDefault();
      choose(chosen === link ? null : link);
    });
  }
  desk.querySelector("[data-unplay]")?.addEventListener("click", (event) => {
    event.preventDefault();
    choose(null);
  });

  // Setting up
  let from = null;
  function holders(spot) {
    const [side, own] = spot.split("-");
    if (own !== undefined) return [{ side, point: Number(own) }];
    const point = Number(spot);
    return [{ side: "mine", point }, { side: "theirs", point: BAR - point }];
  }
  const holder = (spot) => holders(spot).find(({ side, point }) => position[side][point] > 0) || null;
  function target(spot, side) {
    const places = holders(spot);
    const own = places.find((place) => place.side === side);
    if (!own) return null;
    const taken = places.some((place) => place.side !== side && position[place.side][place.point] > 0);
    return taken ? null : own;
  }
  function mark(spot) {
    for (const [name, rect] of spots) rect.classList.toggle("is-from", name === spot);
    from = spot;
  }
  function move(start, end) {
    const source = holder(start);
    const place = source && target(end, source.side);
    if (!place || place.point === source.point) return false;
    position[source.side][source.point] -= 1;
    position[place.side][place.point] += 1;
    for (const side of sides) desk.elements[side].value = write(position[side]);
    desk.elements.id.value = desk.elements.was.value;
    edited = true;
    draw(position);
    desk.querySelector("[data-answers]")?.classList.add("is-stale");
    const note = desk.querySelector("[data-stale]");
    note.hidden = links.length === 0 && !desk.querySelector("[data-answers]");
    return true;
  }
  const spotAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((found) => found.dataset?.spot).find(Boolean) || null;

  let pressed = null;
  svg.addEventListener("pointerdown", (event) => {
    const spot = spotAt(event);
    if (!spot || event.button !== 0) return;
    if (looking && !edited) {
      choose(null);
      return;
    }
    pressed = { spot, had: from };
    if (from === null && holder(spot)) mark(spot);
    figure.classList.add("is-dragging");
  });
  window.addEventListener("pointerup", (event) => {
    figure.classList.remove("is-dragging");
    if (!pressed) return;
    const { spot, had } = pressed;
    pressed = null;
    const end = spotAt(event);
    if (had === null) {
      if (end !== null && end !== spot && from !== null) {
        move(spot, end);
        mark(null);
      }
      return;
    }
    if (end === had || !move(had, end ?? had)) {
      mark(end !== had && end && holder(end) ? end : null);
      return;
    }
    mark(null);
  });
  window.addEventListener("pointercancel", () => {
    pressed = null;
    figure.classList.remove("is-dragging");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") mark(null);
  });
  // A page that the browser kept shows its form as it was left; the board has to agree with it.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) return;
    if (desk.elements.mine.value === figure.dataset.mine && desk.elements.theirs.value === figure.dataset.theirs) return;
    desk.elements.mine.value = figure.dataset.mine;
    desk.elements.theirs.value = figure.dataset.theirs;
  });
})();
