// Elements from data: a tag, attributes and children in, an element out. Text is always set as text,
// so that nothing an app shows on its screens can become markup here.

const byId = id => document.getElementById(id);

function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(made.style, value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return made;
}

const percent = share => `${Math.round(share * 100)} %`;
const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

function shot(hash, size, name) {
  const src = hash && source.picture(hash, size);
  return src ? h("img", { src, alt: `Screen of ${name}`, loading: "lazy", decoding: "async" })
    : h("div", { className: "none", role: "img", ariaLabel: `No picture of ${name}` });
}

function bar(share) {
  return h("span", { className: "bar", role: "img", ariaLabel: percent(share) },
    h("i", { style: { width: `${Math.round(share * 100)}%` } }));
}

function section(title, ...children) {
  const held = children.flat().filter(c => c);
  return held.length ? [h("h3", {}, title), ...held] : [];
}

// The panel shows one thing at a time; what was shown before can be gone back to.

const panel = {
  trail: [],
  show(title, children, again, replace = false) {
    const node = byId("panel");
    if (!replace) this.trail.push(again);
    const back = this.trail.length > 1
      ? h("button", { type: "button", ariaLabel: "Back", onclick: () => this.back() }, "‹") : null;
    node.replaceChildren(h("div", { className: "top" }, back, h("h2", { tabIndex: -1 }, title)), ...children.flat());
    node.scrollTop = 0;
    document.body.classList.add("open");
  },
  back() {
    this.trail.pop();
    const again = this.trail.pop();
    if (again) again();
  },
  wrong(error) {
    byId("panel").prepend(h("p", { className: "error", role: "alert" }, error.message));
  },
};
