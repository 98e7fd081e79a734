// What an element is and is called: roles, names, ids, icons, and whether it reacts to a touch.
(() => {
  const W = window.__waypost;
  if (W.names) return;
  const N = (W.names = {});

  N.squeeze = (text) => (text || "").replace(/[\s\u00a0\u200b\ufeff]+/g, " ").trim();
  N.short = (text, most = 400) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  N.parent = (n) => n.assignedSlot || n.parentNode || n.host || null;
  N.contains = (a, b) => {
    for (let n = b; n; n = N.parent(n)) if (n === a) return true;
    return false;
  };

  // ---- roles -------------------------------------------------------------------------------------
  const TAGS = {
    A: (e) => (e.hasAttribute("href") ? "link" : ""), BUTTON: "button", SUMMARY: "button",
    TEXTAREA: "textbox", NAV: "navigation", UL: "list", OL: "list", MENU: "list", DL: "list", LI: "listitem",
    H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading",
    IMG: "img", SVG: "img", CANVAS: "img", VIDEO: "img", PICTURE: "", DIALOG: "dialog", TABLE: "table",
    TR: "row", PROGRESS: "progressbar", METER: "progressbar", MAIN: "main", FORM: "form", ASIDE: "complementary",
    FOOTER: "contentinfo", IFRAME: "iframe", FRAME: "iframe", OBJECT: "iframe", EMBED: "iframe",
    HEADER: (e) => (e.closest("article,section,main,aside,nav") ? "" : "banner"),
    SELECT: (e) => (e.multiple || e.size > 1 ? "listbox" : "combobox"),
    OPTION: "option",
    INPUT: (e) => INPUTS[e.type] ?? "textbox",
  };
  const INPUTS = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button", color: "button",
    checkbox: "checkbox", radio: "radio", range: "slider", search: "searchbox", number: "spinbutton", hidden: "",
  };
  const KNOWN = new Set(("button link heading img image figure textbox searchbox spinbutton checkbox menuitemcheckbox " +
    "switch radio menuitemradio slider combobox listbox option tab tablist tabpanel list grid treegrid table tree feed listitem " +
    "row treeitem article gridcell cell columnheader rowheader menu menubar menuitem dialog alertdialog navigation " +
    "toolbar banner progressbar tooltip status alert log main region form search group radiogroup contentinfo " +
    "complementary application scrollbar").split(" "));
  // One article is the page's content; several are rows.
  const alone = (el) => {
    const parent = el.parentElement;
    return !parent || [...parent.children].filter((e) => e.getAttribute("role") === "article").length < 2;
  };
  N.role = (el) => {
    for (const r of (el.getAttribute("role") || "").toLowerCase().split(/\s+/))
      if (KNOWN.has(r)) return r === "article" && alone(el) ? "" : r;
    const said = (el.getAttribute("role") || "").trim();
    if (said === "presentation" || said === "none") return "";
    const rule = TAGS[el.tagName.toUpperCase()];
    if (typeof rule === "function") return rule(el);
    if (rule) return rule;
    if (el.hasAttribute("popover")) return "popover";
    return "";
  };

  // ---- ids ---------------------------------------------------------------------------------------
  // Ids that a framework or a database made up name nothing that is still there tomorrow.
  const MADE_UP = /^(:|«|_r_|radix|mui-|headlessui|react-|ember|ext-|yui|downshift|rc[-_]|el-id|cdk-|mat-|select2|__bvid|svelte-|v-\d|aria-|ion-|tippy|popper|floating|base-ui|chakra-|field-:)|[:«»]|\d{3,}|\d+$|(^|[-_])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}([-_]|$)/i;
  const scrambled = (id) => {
    // Random letters: upper, lower and digits mixed without a separator.
    if (!/^[A-Za-z0-9_-]{6,}$/.test(id) || !/\d/.test(id)) return false;
    return (id.match(/[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d|\d[A-Za-z]/g) || []).length >= 3;
  };
  N.authored = (id) => !!id && id.length <= 80 && !/\s/.test(id) && !MADE_UP.test(id) && !scrambled(id);
  N.id = (el) => {
    for (const a of ["data-testid", "data-test-id", "data-test", "data-cy", "id", "name"]) {
      if (a === "name" && !/^(INPUT|SELECT|TEXTAREA|BUTTON|IFRAME)$/.test(el.tagName)) continue;
      const id = el.getAttribute(a) || "";
      if (N.authored(id)) return id;
    }
    return "";
  };

  // ---- icons ---------------------------------------------------------------------------------------
  const LIGATURES = /(^|\s)(material-icons\S*|material-symbols\S*|notranslate)(\s|$)/;
  N.ligature = (el) => typeof el.className === "string" && LIGATURES.test(el.className) && el.children.length === 0;
  const ICON = /(?:^|\s)(?:fa|fas|far|fab|bi|icon|mdi|glyphicon|ti|ri|la|ion|lucide|feather|octicon|tc-image|pi|codicon|icofont|svg)-([a-z][a-z0-9-]+)/i;
  const DULL = /^(solid|regular|brands|light|icon|icons|fw|lg|sm|xs|md|button|svg|\d*x|inner|wrapper|container|small|large|default|spin)$/i;
  N.icon = (el) => {
    const looked = [el, ...el.querySelectorAll("i,svg,use,span,img,ion-icon,mat-icon,title")].slice(0, 12);
    for (const e of looked) {
      if (e.tagName.toLowerCase() === "title" && e.closest("svg")) return N.squeeze(e.textContent);
      if (e !== el && N.ligature(e)) return N.squeeze(e.textContent).replace(/_/g, " ");
      const named = e.getAttribute("data-icon") || e.getAttribute("icon") ||
        (e.tagName === "ION-ICON" && e.getAttribute("name")) || "";
      if (/^[a-z][a-z0-9_:-]{1,30}$/i.test(named)) return named.replace(/^.*:/, "").replace(/[-_]+/g, " ");
      const used = (e.getAttribute("href") || e.getAttribute("xlink:href") || "").match(/#(?:icon[-_])?([a-z][a-z0-9_-]+)$/i);
      if (used && e.tagName.toLowerCase() === "use") return used[1].replace(/[-_]+/g, " ");
      const worn = (e.getAttribute("class") || "").match(ICON);
      if (worn && !DULL.test(worn[1])) return worn[1].replace(/-+/g, " ");
    }
    return "";
  };

  // ---- names -------------------------------------------------------------------------------------
  const referenced = (el, attribute) => {
    const root = el.getRootNode();
    return N.squeeze((el.getAttribute(attribute) || "").split(/\s+/).map((id) => {
      const at = id && root.getElementById ? root.getElementById(id) : null;
      return at ? at.textContent : "";
    }).join(" "));
  };
  N.labels = (el) => {
    if (!el.labels || !el.labels.length) return "";
    return N.squeeze([...el.labels].map((l) => {
      const copy = l.cloneNode(true);
      for (const inner of copy.querySelectorAll("input,select,textarea,script,style,ul,ol,table,[role=listbox],[contenteditable]")) inner.remove();
      return copy.textContent;
    }).join(" "));
  };
  N.description = (el, role) => {
    const said = referenced(el, "aria-labelledby") || N.squeeze(el.getAttribute("aria-label"));
    if (said) return said;
    const tag = el.tagName.toUpperCase();
    if (tag === "IMG" || (tag === "INPUT" && el.type === "image")) return N.squeeze(el.alt) || N.squeeze(el.title);
    if (tag === "SVG") {
      const t = el.querySelector(":scope > title");
      if (t) return N.squeeze(t.textContent);
    }
    const labelled = N.labels(el);
    if (labelled) return labelled;
    if (tag === "TABLE" && el.caption) return N.squeeze(el.caption.textContent);
    if (tag === "IFRAME" || role) return N.squeeze(el.getAttribute("title"));
    return "";
  };
  N.value = (el, role) => {
    const tag = el.tagName;
    if (tag === "INPUT") {
      if (role === "button") return el.type === "file" ? "" : N.squeeze(el.value) || { submit: "Submit", reset: "Reset" }[el.type] || "";
      if (role === "checkbox" || role === "radio" || role === "switch") return "";
      return el.type === "password" ? "•".repeat(el.value.length) : el.value;
    }
    if (tag === "TEXTAREA") return el.value;
    if (tag === "SELECT") return N.squeeze([...el.selectedOptions].map((o) => o.label).join(", "));
    return "";
  };
  N.href = (el) => {
    const raw = el.getAttribute("href");
    if (raw === null || /^javascript:/i.test(raw)) return "";
    if (/^(mailto|tel|sms|geo|intent|market|whatsapp):/i.test(raw)) return raw;
    try {
      const u = new URL(raw, document.baseURI);
      return u.origin === location.origin ? u.pathname + u.search + u.hash : u.href;
    } catch {
      return raw;
    }
  };

  // ---- reacting to a touch -------------------------------------------------------------------------
  const props = (el) => {
    for (const k of Object.keys(el)) if (k.startsWith("__reactProps$")) return el[k];
    return null;
  };
  const HANDLERS = ["onClick", "onPress", "onPointerUp", "onPointerDown", "onMouseDown", "onTouchEnd"];
  // Own handlers of any framework that leaves them readable: React's props, Vue's invokers, plain DOM.
  N.handlers = (el) => {
    const p = props(el);
    const vue = el._vei || (Object.getOwnPropertySymbols ? el[Object.getOwnPropertySymbols(el).find((s) => s.description === "_vei")] : null);
    const click = !!(el.onclick || (p && HANDLERS.some((h) => typeof p[h] === "function")) ||
      (vue && (vue.onClick || vue.onPointerup || vue.onTouchend)));
    const press = !!(el.oncontextmenu || (p && (p.onContextMenu || p.onLongPress)) || W.pressers.has(el));
    return { click, press, heard: W.clickers.has(el) };
  };
  N.disabled = (el) => {
    try {
      if (el.matches(":disabled")) return true;
    } catch {
      return false;
    }
    return el.getAttribute("aria-disabled") === "true";
  };
  const ON = /^(active|selected|current|is-active|is-selected|is-current|router-link-exact-active|router-link-active|tab-selected|nav-link-active)$/;
  N.selected = (el) => {
    if (el.getAttribute("aria-selected") === "true") return true;
    const current = el.getAttribute("aria-current");
    if (current && current !== "false") return true;
    if (el.tagName === "OPTION") return el.selected;
    const worn = (e) => [...e.classList].some((c) => ON.test(c));
    return worn(el) || (!!el.parentElement && el.parentElement.tagName === "LI" && worn(el.parentElement));
  };
  N.checked = (el, role) => {
    if (el.tagName === "INPUT" && (el.type === "checkbox" || el.type === "radio")) return el.checked;
    return el.getAttribute("aria-checked") === "true" || el.getAttribute("aria-pressed") === "true";
  };
  const SPINNER = /(^|[\s_-])(spinner|skeleton|shimmer|loader|loading|preloader|progress-circular)([\s_-]|$)/i;
  const turns = (effect) => effect.getKeyframes().some((k) => /rotate|matrix/.test(k.transform || "") || (k.rotate && k.rotate !== "none"));
  // Elements that move for ever: all of them, and those that turn round.
  N.endless = (doc) => {
    const all = new Set(), turning = new Set();
    for (const a of doc.getAnimations()) {
      const target = a.effect && a.effect.target;
      if (!target || a.playState !== "running" || a.effect.getComputedTiming().iterations !== Infinity) continue;
      all.add(target);
      if (turns(a.effect)) turning.add(target);
    }
    return { all, turning };
  };
  // A wordless thing that turns round for ever, or moves and is named as one that waits.
  N.spinner = (el, endless) => {
    if (el.tagName === "svg" && el.querySelector("animateTransform[repeatCount=indefinite]")) return true;
    if (!endless.all.size || !(endless.turning.has(el) || SPINNER.test(el.getAttribute("class") || ""))) return false;
    if (N.squeeze(el.textContent)) return false;
    return endless.turning.has(el) || [...endless.all].some((e) => el.contains(e));
  };
})();
