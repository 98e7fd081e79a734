// A screen to tap on: every deed goes to the recorder, and what shows then comes back.

const token = location.hash.slice(1);
let busy = false, over = false, field = null, sure = "";

async function asked(what, more = {}) {
  if (busy || over) return;
  busy = true;
  byId("screen").classList.add("busy");
  try {
    const reply = await fetch("/api/do", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Waypost": "1", "X-Waypost-Token": token },
      body: JSON.stringify({ what, ...more }),
    });
    const value = await reply.json();
    if (!reply.ok) throw new Error(value.error);
    wrong("");
    if (value.finished) finished(value.finished); else show(value);
  } catch (error) {
    // A hazard is done only by asking for the same thing twice.
    sure = error.message.startsWith("This may do harm") ? JSON.stringify([what, more.x, more.y]) : "";
    wrong(error.message);
  } finally {
    busy = false;
    if (!over) byId("screen").classList.remove("busy");
  }
}

function wrong(words) {
  byId("error").hidden = !words;
  byId("error").textContent = words;
}

function touched(what, x, y, more = {}) {
  const again = sure === JSON.stringify([what, x, y]);
  sure = "";
  asked(what, { x, y, ...more, sure: again });
}

function show(state) {
  const [width, height] = state.size;
  const screen = byId("screen");
  screen.style.aspectRatio = `${width} / ${height}`;
  screen.classList.toggle("bare", !state.picture);
  const picture = state.picture ? [h("img", { src: state.picture, alt: `Screen of ${state.page.name}` })] : [];
  screen.replaceChildren(...picture, ...state.elements.map(element));
  byId("title").textContent = state.map;
  byId("counts").textContent = `${counted(state.pages, "page")}, ${counted(state.steps, "step")}`;
  byId("name").value = state.page.name;
  byId("name").disabled = state.page.side;
  byId("said").textContent = state.said || (state.page.side ? "In front of the app: no page of it."
    : state.page.new ? "A new page." : "A page that was here before.");
  byId("forget").disabled = !state.forgettable;
  byId("trail").replaceChildren(...state.trail.map(s => h("li", {}, `${s.from}: ${s.did}`)));
  byId("typing").hidden = true;
  document.title = `${state.page.name} · Waypost`;
}

function element(e) {
  const [left, top, width, height] = e.box;
  const style = Object.fromEntries(Object.entries({ left, top, width, height }).map(([k, v]) => [k, `${v * 100}%`]));
  const x = left + width / 2, y = top + height / 2;
  const name = e.hazard ? `${e.label || "unnamed"} (may do harm: ${e.hazard})` : e.label || "unnamed";
  return h("button", {
    type: "button", style, ariaLabel: name, title: name, className: e.hazard ? "risky" : "",
    onclick: event => {
      event.stopPropagation();
      if (e.does.includes("type")) ask(name, x, y);
      else touched(byId("long").checked && e.does.includes("long_press") ? "long_press" : "tap", x, y);
      byId("long").checked = false;
    },
  }, e.label);
}

function ask(name, x, y) {
  field = { x, y };
  byId("field").textContent = `Text for “${name}”`;
  byId("typing").hidden = false;
  byId("text").value = "";
  byId("text").focus();
}

function finished(made) {
  over = true;
  document.body.replaceChildren(h("main", {}, h("section", { id: "phone" }, h("div", {},
    h("h2", { tabIndex: -1 }, "The map is written."),
    h("p", {}, `${counted(made.pages, "page")}, ${counted(made.transitions, "way")}, ${counted(made.records, "record")}.`),
    h("p", {}, `waypost view ${made.map}`)))));
}

const KEYS = { b: "back", h: "home", e: "enter", ArrowUp: "swipe_up", ArrowDown: "swipe_down", u: "forget", l: "look", r: "restart" };

document.addEventListener("keydown", event => {
  if (event.key === "Escape") { document.activeElement.blur(); byId("typing").hidden = true; }
  if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") { byId("name").focus(); byId("name").select(); }
  else if (event.key === "F") asked("finish");
  else if (KEYS[event.key]) asked(KEYS[event.key]);
  else return;
  event.preventDefault();
});
byId("screen").addEventListener("click", event => {
  const box = byId("screen").getBoundingClientRect();
  touched("tap", (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
});
byId("naming").addEventListener("submit", event => {
  event.preventDefault();
  byId("name").blur();
  asked("name", { name: byId("name").value });
});
byId("typing").addEventListener("submit", event => {
  event.preventDefault();
  touched("type", field.x, field.y, { text: byId("text").value });
});
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => asked(button.dataset.do));
}
byId("finish").addEventListener("click", () => asked("finish"));
asked("state");
