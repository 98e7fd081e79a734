// Installed before the page's own scripts: notes structural change, requests under way, pending
// navigations and click listeners, so that one call can wait until the page is quiet. Reads only.
(() => {
  if (window.__waypost) return;
  const W = {};
  Object.defineProperty(window, "__waypost", { value: W, enumerable: false });
  const OUTSIDE = new RegExp("__OUTSIDE__"); // filled in: addresses beyond the app's own host
  const clock = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  W.clickers = new WeakSet();
  W.pressers = new WeakSet();
  W.menuAt = -1; // when a contextmenu event was last seen
  let structureAt = clock();
  let motionAt = -1e9;
  let leavingAt = -1; // a navigation to another document has begun
  let leavingTo = "";
  let endlessLoad = false; // some part of the document never finishes loading
  let stopped = []; // addresses of other apps (mail, phone, maps) that were not followed
  let mutated = []; // [time, target] of structural changes, for finding what never stops
  let noisy = new Set();
  let slow = new Set();
  let answered = []; // what was held to be slow, and answered after all
  let restedAt = -1e9; // when the last wait ended: what began since then is of the last gesture
  const pending = new Map();

  // ---- structure -----------------------------------------------------------------------------
  const SILENT = new Set(["SCRIPT", "STYLE", "LINK", "META", "TITLE", "NOSCRIPT", "TEMPLATE", "HEAD"]);
  const place = (node) => {
    const parts = [];
    for (let n = node; n && n !== document; n = n.parentNode || n.host) {
      if (n.nodeType !== 1) continue;
      let i = 0;
      for (let s = n.previousElementSibling; s; s = s.previousElementSibling) i++;
      parts.push(n.tagName + i);
    }
    return parts.reverse().join("/");
  };
  const inNoise = (node) => {
    if (!noisy.size) return false;
    const at = place(node);
    for (const n of noisy) if (at === n || at.startsWith(n + "/")) return true;
    return false;
  };
  const css = (text, name) => {
    const m = new RegExp("(?:^|;)\\s*" + name + "\\s*:\\s*([^;]*)").exec(text || "");
    return m ? m[1].trim() : "";
  };
  const judge = (r) => {
    if (r.type === "childList") {
      for (const list of [r.addedNodes, r.removedNodes])
        for (const n of list) if (n.nodeType === 1 && !SILENT.has(n.tagName)) return "structure";
      return "";
    }
    const value = r.target.getAttribute(r.attributeName);
    if (value === r.oldValue) return "";
    if (r.attributeName !== "style") return "structure";
    for (const name of ["display", "visibility"])
      if (css(value, name) !== css(r.oldValue, name)) return "structure";
    return "motion";
  };
  const observer = new MutationObserver((records) => {
    const now = clock();
    for (const r of records) {
      const kind = judge(r);
      if (!kind || inNoise(r.target)) continue;
      if (kind === "motion") motionAt = now;
      else {
        structureAt = now;
        mutated.push([now, r.target]);
      }
    }
    if (mutated.length > 2000) mutated = mutated.slice(-1000);
  });
  const WATCHED = {
    subtree: true, childList: true, attributes: true, attributeOldValue: true,
    attributeFilter: ["class", "style", "hidden", "open", "inert", "role", "disabled",
      "aria-hidden", "aria-expanded", "aria-selected", "aria-checked", "aria-modal"],
  };
  observer.observe(document, WATCHED);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    if (root.mode === "open") observer.observe(root, WATCHED);
    return root;
  };

  // ---- listeners: what reacts to a touch ---------------------------------------------------------
  const listen = EventTarget.prototype.addEventListener;
  const TOUCHES = new Set(["click", "pointerdown", "pointerup", "mousedown", "mouseup", "touchstart", "touchend"]);
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (this instanceof Element) {
      if (TOUCHES.has(type)) W.clickers.add(this);
      else if (type === "contextmenu") W.pressers.add(this);
    }
    return listen.call(this, type, ...rest);
  };
  listen.call(window, "contextmenu", () => (W.menuAt = clock()), true);
  W.touched = null; // what a finger touched last
  listen.call(window, "pointerdown", (e) => (W.touched = e.composedPath()[0]), true);

  // ---- requests and navigations under way ----------------------------------------------------------
  const path = (url) => {
    try {
      const u = new URL(url, location.href);
      return u.protocol.startsWith("http") ? u.origin + u.pathname : "";
    } catch {
      return "";
    }
  };
  const PROMPT = 20000; // milliseconds within which an answer to a gesture comes; what takes longer is held open
  const begin = (url) => {
    const at = path(url);
    const key = {};
    const since = clock();
    if (at && !slow.has(at)) pending.set(key, [since, at]);
    return () => {
      if (at && slow.has(at) && clock() - since < PROMPT) answered.push(at);
      // What the answer leads to is drawn a moment later.
      if (pending.delete(key)) structureAt = Math.max(structureAt, clock() - 150);
    };
  };
  if (window.fetch) {
    const fetch = window.fetch;
    window.fetch = function (what, ...rest) {
      const end = begin(what && what.url ? what.url : String(what));
      const answer = fetch.call(this, what, ...rest);
      answer.then(end, end);
      return answer;
    };
  }
  const open = XMLHttpRequest.prototype.open;
  const send = XMLHttpRequest.prototype.send;
  const urls = new WeakMap();
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    urls.set(this, String(url));
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...rest) {
    const end = begin(urls.get(this) || "");
    listen.call(this, "loadend", end);
    return send.apply(this, rest);
  };
  // Addresses that would open another app of the phone.
  const foreign = (url) => /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^(https?|wss?|data|blob|about|javascript|file|chrome-error):/i.test(url);
  listen.call(window, "click", (e) => {
    for (const el of e.composedPath()) {
      if (el.tagName !== "A" && el.tagName !== "AREA") continue;
      const elsewhere = el.target && el.target !== "_self" && OUTSIDE.test(String(el.href));
      if (el.href && (foreign(String(el.href)) || elsewhere)) {
        stopped.push(String(el.href));
        e.preventDefault();
      }
      return;
    }
  }, true);
  window.print = () => stopped.push("print:");
  const opened = window.open;
  window.open = function (url, ...rest) {
    let full = "";
    try {
      full = url ? new URL(url, location.href).href : "";
    } catch {
      full = "";
    }
    if (full && (foreign(full) || OUTSIDE.test(full))) {
      stopped.push(full);
      return null;
    }
    return opened.call(this === undefined ? window : this, url, ...rest);
  };
  if (window.navigation) {
    listen.call(navigation, "navigate", (e) => {
      structureAt = clock();
      const here = location.href.split("#")[0];
      const away = !e.destination.sameDocument && !e.hashChange && e.downloadRequest === null;
      const web = e.destination.url.startsWith("http");
      if (away && web && (e.destination.url.split("#")[0] !== here || e.navigationType === "reload"))
        [leavingAt, leavingTo] = [clock(), e.destination.url];
      if (foreign(e.destination.url)) {
        stopped.push(e.destination.url);
        if (e.cancelable) e.preventDefault();
      }
    });
    listen.call(navigation, "navigateerror", () => (leavingAt = -1));
    listen.call(navigation, "navigatesuccess", () => (leavingAt = -1));
  }

  // ---- waiting -----------------------------------------------------------------------------------
  const moving = (started) => {
    // Finite transitions and animations that end soon; endless ones are decoration.
    for (const a of document.getAnimations()) {
      if (a.playState !== "running" || !a.effect) continue;
      const t = a.effect.getComputedTiming();
      if (!Number.isFinite(t.endTime) || typeof a.currentTime !== "number") continue;
      const left = t.endTime - a.currentTime;
      if (left > 0 && left < 1000 && clock() - started < 1500) return true;
    }
    return clock() - motionAt < 80 && clock() - started < 900;
  };
  const blank = () => {
    const body = document.body;
    if (!body) return true;
    if (body.querySelector("input,button,textarea,select,img,canvas,video,iframe")) return false;
    return !/\S/.test(body.innerText || "") && !document.querySelector("[aria-label]") && ![...body.querySelectorAll("*")].some((e) => e.shadowRoot);
  };
  const busy = (o, started) => {
    const now = clock();
    if (leavingAt >= 0 && now - leavingAt < o.leaving && !OUTSIDE.test(leavingTo)) return "leaving";
    if (document.readyState === "loading") return "parsing";
    if (document.readyState !== "complete" && !endlessLoad && now - started < o.cap) return "loading";
    for (const [since] of pending.values()) if (now - since < (since >= restedAt ? o.request : o.cap)) return "request";
    if (now - Math.max(structureAt, started) < o.quiet) return "structure";
    if (moving(started)) return "motion";
    return "";
  };
  const restless = (started) => {
    // Places that changed again and again, over more than half of the wait, would never stop.
    const by = new Map();
    for (const [at, target] of mutated) {
      if (at < started || !target.isConnected) continue;
      const key = place(target);
      const row = by.get(key) || [0, at, at];
      row[0]++;
      row[2] = at;
      by.set(key, row);
    }
    const span = clock() - started;
    return [...by].filter(([, [n, first, last]]) => n >= 3 && last - first > span / 2).map(([k]) => k);
  };
  // Resolve once nothing structural happened for `quiet` ms, or after `cap` ms.
  W.quiet = (o) => new Promise((done) => {
    const started = clock();
    noisy = new Set(o.noisy);
    slow = new Set(o.slow);
    for (const at of answered) slow.delete(at);
    for (const [key, [, at]] of pending) if (slow.has(at)) pending.delete(key);
    mutated = [];
    let blankOnce = false;
    let waited = 0;
    const look = () => {
      const why = busy(o, started);
      const spent = clock() - started;
      if (!why && !blankOnce && spent < o.blank && blank()) return void later(look, 60);
      blankOnce = true;
      const most = why === "leaving" ? o.leaving : why === "request" ? o.request : o.cap + waited;
      if (why && spent < most) {
        if (why === "request") waited = spent; // What an answer brings is drawn after it.
        return void later(look, 25);
      }
      const late = [...pending.values()].filter(([since]) => clock() - since >= o.request * 0.9).map(([, at]) => at);
      const prompt = answered;
      answered = [];
      restedAt = clock();
      leavingAt = -1;
      if (document.readyState !== "complete") endlessLoad = true;
      const away = stopped;
      stopped = [];
      done({ why, spent, away, noisy: why ? restless(started) : [], slow: why === "request" ? late : [], prompt });
    };
    look();
  });

  // ---- the field that has the focus -----------------------------------------------------------------
  W.focused = () => {
    let doc = document;
    let el = doc.activeElement;
    for (;;) {
      if (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
      else if (el && el.tagName === "IFRAME") {
        try {
          doc = el.contentDocument;
        } catch {
          return el;
        }
        if (!doc) return el;
        el = doc.activeElement;
      } else return el;
    }
  };
  const TEXTLESS = new Set(["button", "submit", "reset", "checkbox", "radio", "file", "image", "range", "color", "hidden"]);
  W.editable = (el) => {
    if (!el || el.disabled || el.readOnly) return false;
    if (el.tagName === "TEXTAREA") return true;
    if (el.tagName === "INPUT") return !TEXTLESS.has(el.type);
    return !!el.isContentEditable;
  };
})();
