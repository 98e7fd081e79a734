// Wires pointer, keyboard and buttons to what they do, and shows the map.

const map = byId("map");
const pointers = new Map();
let dragged = false;

map.addEventListener("pointerdown", event => {
  if (event.button > 0 || event.target.closest("#zoom")) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  dragged = false;
});
map.addEventListener("pointermove", event => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = [event.clientX, event.clientY];
  if (pointers.size === 1) {
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (!dragged && Math.hypot(dx, dy) < 5) return;
    // Taken only once it is a drag, so that a click stays a click.
    if (!dragged) map.setPointerCapture(event.pointerId);
    dragged = true;
    map.classList.add("moving");
    graph.view.x += dx;
    graph.view.y += dy;
    picture.moved();
  } else {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const box = map.getBoundingClientRect();
    const factor = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
    dragged = true;
    graph.zoom(factor, (now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top);
  }
  pointers.set(event.pointerId, now);
});
for (const kind of ["pointerup", "pointercancel"]) {
  map.addEventListener(kind, event => {
    pointers.delete(event.pointerId);
    if (!pointers.size) map.classList.remove("moving");
  });
}
map.addEventListener("click", event => {
  if (dragged) { event.stopPropagation(); event.preventDefault(); dragged = false; return; }
  if (event.target.closest("button")) return;
  // Far away, pages are no buttons; they can be clicked all the same.
  const box = map.getBoundingClientRect(), { x, y, k } = graph.view;
  const [wx, wy] = [(event.clientX - box.left - x) / k, (event.clientY - box.top - y) / k];
  const hit = [...graph.nodes.values()].find(n => wx >= n.at[0] && wx <= n.at[0] + SHOT[0] && wy >= n.at[1] && wy <= n.at[1] + SHOT[1]);
  if (hit) graph.choose(hit.id);
}, true);
map.addEventListener("wheel", event => {
  event.preventDefault();
  const box = map.getBoundingClientRect();
  graph.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function mapKey(event) {
  const [w, h] = picture.extent();
  if (ARROWS[event.key]) {
    const next = graph.chosen ? graph.beside(graph.chosen, ...ARROWS[event.key]) : graph.root;
    if (next) {
      graph.choose(next, { quiet: true });
      byId("status").textContent = graph.nodes.get(next).name;
    }
  } else if (event.key === "Enter" && graph.chosen) cards.open(graph.chosen);
  else if (event.key === "+" || event.key === "=") graph.zoom(1.25, w / 2, h / 2);
  else if (event.key === "-") graph.zoom(0.8, w / 2, h / 2);
  else if (event.key === "0") graph.fit();
  else return;
  event.preventDefault();
}
map.addEventListener("keydown", mapKey);

document.addEventListener("keydown", event => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    ways.leave();
    graph.choose(null);
    map.focus();
  } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (event.key === "/") { event.preventDefault(); byId("q").focus(); }
    else if (event.key === "n") ways.go(1);
    else if (event.key === "p") ways.go(-1);
  }
});

byId("search").addEventListener("submit", event => {
  event.preventDefault();
  ways.leave();
  cards.search(byId("q").value);
});
byId("show-map").addEventListener("click", () => { ways.leave(); picture.moved(); cards.coverage(); });
byId("show-changes").addEventListener("click", () => builds.open());
byId("show-live").addEventListener("click", () => live.toggle());
byId("show-live").hidden = source.offline;
byId("in").addEventListener("click", () => { const [w, h] = picture.extent(); graph.zoom(1.4, w / 2, h / 2); });
byId("out").addEventListener("click", () => { const [w, h] = picture.extent(); graph.zoom(0.7, w / 2, h / 2); });
byId("fit").addEventListener("click", () => graph.fit());
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  picture.moved();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => picture.moved());
new ResizeObserver(() => picture.moved()).observe(map);

source.start().then(start => {
  cards.take(start);
  cards.coverage();
  graph.open();
}).catch(error => panel.wrong(error));
