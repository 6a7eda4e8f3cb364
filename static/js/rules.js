// The rules page: checkers are dragged, tapped or typed to their places on the board, and pointing at a play in the
// list shows it. Without this script, IDs, points and links do the same.
"use strict";

(() => {
  const desk = document.querySelector("[data-rules-desk]");
  if (!desk) return;
  const figure = desk.querySelector("[data-board]");
  const board = new Board(figure);
  const { svg, spots } = board;
  const hands = desk.querySelector("[data-hands]");
  const said = desk.querySelector("[data-said]");
  const sentences = JSON.parse(hands.dataset.sentences);
  const position = Board.position(figure);
  document.documentElement.classList.add("has-script");

  // Looking at plays
  const links = [...desk.querySelectorAll("[data-play]")];
  let chosen = links.find((link) => link.hasAttribute("aria-current")) || null;
  let edited = false;
  let looking = figure.hasAttribute("data-after");
  function look(link) {
    if (edited) return;
    looking = link !== null;
    if (link) board.draw(Board.position(link), position);
    else board.draw(position);
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
  const holder = (spot) => Board.places(spot).find(({ side, point }) => position[side][point] > 0) || null;
  function target(spot, side) {
    const places = Board.places(spot);
    const taken = places.some((place) => place.side !== side && position[place.side][place.point] > 0);
    return taken ? null : places.find((place) => place.side === side) || null;
  }
  function shift(side, start, end, number = 1) {
    position[side][start] -= number;
    position[side][end] += number;
    for (const name of Board.SIDES) desk.elements[name].value = Board.write(position[name]);
    desk.elements.id.value = desk.elements.was.value;
    edited = true;
    board.draw(position);
    const answers = desk.querySelector("[data-answers]");
    answers?.classList.add("is-stale");
    desk.querySelector("[data-stale]").hidden = !answers;
  }
  function move(start, end) {
    const source = holder(start);
    const place = source && target(end, source.side);
    if (!place || place.point === source.point) return false;
    shift(source.side, source.point, place.point);
    return true;
  }
  let from = null;
  function mark(spot) {
    for (const [name, rect] of spots) rect.classList.toggle("is-from", name === spot);
    from = spot;
  }
  // After a checker is taken from the tray, the next one is picked up too, to fill an empty board point by point.
  const keep = (spot) => (spot.endsWith(`-${OFF}`) && holder(spot) ? spot : null);
  function backToPosition() {
    if (looking && !edited) choose(null);
  }

  // By finger or mouse
  const spotAt = (event) =>
    document.elementsFromPoint(event.clientX, event.clientY).map((found) => found.dataset?.spot).find(Boolean) || null;
  const onBoard = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  let pressed = null, carried = null;
  function carry(event) {
    const source = holder(pressed.spot);
    if (!source || (!carried && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 6)) return;
    if (!carried) {
      pressed.had = null;
      mark(pressed.spot);
      carried = board.shape("circle", `checker ${source.side} carried`, { r: Board.RADIUS, "stroke-width": 2 });
      svg.append(carried);
      figure.classList.add("is-dragging");
    }
    const at = onBoard(event);
    carried.setAttribute("cx", at.x);
    carried.setAttribute("cy", at.y);
    const over = spotAt(event);
    for (const [name, rect] of spots) rect.classList.toggle("is-over", name === over && target(name, source.side) !== null);
  }
  function letGo() {
    carried?.remove();
    carried = pressed = null;
    figure.classList.remove("is-dragging");
    for (const rect of spots.values()) rect.classList.remove("is-over");
  }
  // A finger on a stack of checkers, or one checker above it, drags one; elsewhere it scrolls the page.
  function inReach(spot, touch) {
    const held = holder(spot);
    if (!held) return false;
    const { y, step } = spots.get(spot).dataset;
    const shown = Math.min(position[held.side][held.point], held.point === OFF ? CHECKERS : Board.TALLEST);
    const from = (onBoard(touch).y - Number(y)) / Number(step);
    return from < shown + (held.point === OFF ? 3 : 0.5);
  }
  svg.addEventListener("touchstart", (event) => {
    const spot = spotAt(event.touches[0]);
    if (spot && event.touches.length === 1 && inReach(spot, event.touches[0])) event.preventDefault();
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    const spot = spotAt(event);
    if (!spot || event.button !== 0 || !event.isPrimary) return;
    if (looking && !edited) {
      choose(null);
      return;
    }
    pressed = { spot, had: from, x: event.clientX, y: event.clientY };
    if (from === null && holder(spot)) mark(spot);
  });
  window.addEventListener("pointermove", (event) => {
    if (pressed && event.isPrimary) carry(event);
  });
  window.addEventListener("pointerup", (event) => {
    if (!pressed || !event.isPrimary) return;
    const { spot, had } = pressed;
    letGo();
    const end = spotAt(event);
    if (had === null) {
      if (end === spot || from === null) return;
      if (end !== null) move(spot, end);
      mark(null);
      return;
    }
    if (end !== had && move(had, end ?? had)) mark(keep(had));
    else mark(end !== had && end && holder(end) ? end : null);
  });
  window.addEventListener("pointercancel", () => {
    if (pressed && pressed.had === null) mark(null);
    letGo();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    letGo();
    mark(null);
  });

  // By keyboard
  const rows = ["top", "bottom"].map((half) =>
    [...spots.values()]
      .filter((rect) => (Number(rect.getAttribute("y")) < svg.viewBox.baseVal.height / 3) === (half === "top"))
      .sort((one, other) => one.dataset.x - other.dataset.x)
      .map((rect) => rect.dataset.spot));
  let cursor = "6", side = "mine";
  hands.tabIndex = 0;
  hands.setAttribute("role", "application");
  function tell(spot, ...more) {
    const [place] = Board.places(spot), held = holder(spot);
    const kind = place.point === BAR ? "bar" : place.point === OFF ? "off" : "point";
    const whose = kind === "point" ? held?.side : place.side;
    const number = held ? position[held.side][held.point] : 0;
    const where = Board.fill(sentences[kind], { point: place.point });
    const content = whose && (number || kind !== "point") ? Board.fill(sentences[whose], { number }) : sentences.empty;
    said.textContent = [`${where}: ${content}.`, ...more].join(" ");
  }
  function point(spot, ...more) {
    for (const [name, rect] of spots) rect.classList.toggle("is-cursor", name === spot);
    cursor = spot;
    tell(spot, ...more);
  }
  function walk(columns, rows_) {
    const row = rows.findIndex((names) => names.includes(cursor));
    const column = rows[row].indexOf(cursor);
    const next = rows[Math.min(Math.max(row + rows_, 0), 1)];
    point(next[Math.min(Math.max(column + columns, 0), next.length - 1)]);
  }
  // Set the number of checkers on the place; the difference comes from, or goes to, the tray of their side.
  function setTo(number) {
    const places = Board.places(cursor);
    const place = holder(cursor) || places.find((one) => one.side === side) || places[0];
    const points = position[place.side];
    if (place.point === OFF || number < 0) return point(cursor);
    const more = Math.min(number - points[place.point], points[OFF]);
    const short = number - points[place.point] > points[OFF];
    if (more !== 0) shift(place.side, OFF, place.point, more);
    return short ? point(cursor, sentences.short) : point(cursor);
  }
  const onCursor = () => { const held = holder(cursor); return held ? position[held.side][held.point] : 0; };
  function hold() {
    if (from === null) {
      if (!holder(cursor)) return point(cursor);
      mark(cursor);
      return point(cursor, sentences.held);
    }
    const start = from;
    const moved = start === cursor || move(start, cursor);
    mark(moved ? (start === cursor ? null : keep(start)) : start);
    return moved ? point(cursor) : point(cursor, sentences.taken);
  }
  const keys = {
    ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0), ArrowUp: () => walk(0, -1), ArrowDown: () => walk(0, 1),
    "+": () => setTo(onCursor() + 1), "=": () => setTo(onCursor() + 1), "-": () => setTo(onCursor() - 1),
    Delete: () => setTo(0), Backspace: () => setTo(0), " ": hold, Enter: hold,
    x: () => {
      side = side === "mine" ? "theirs" : "mine";
      point(cursor, sentences[side === "mine" ? "nextMine" : "nextTheirs"]);
    },
  };
  hands.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = /^\d$/.test(key) ? () => setTo(Number(key)) : keys[key];
    if (!act) return;
    event.preventDefault();
    if (!key.startsWith("Arrow")) backToPosition();
    act();
  });
  hands.addEventListener("focus", () => { if (hands.matches(":focus-visible")) point(cursor); });
  hands.addEventListener("blur", () => {
    for (const rect of spots.values()) rect.classList.remove("is-cursor");
  });

  // After a reload the browser may restore old form values; set them to what the board shows.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) return;
    for (const name of Board.SIDES) desk.elements[name].value = figure.dataset[name];
  });
})();
