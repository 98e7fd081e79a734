// Where answers come from: the server that this page came from, or, in an exported file, the data inside of it.

const inside = JSON.parse(byId("data").textContent);

async function asked(path, body) {
  const how = body && { method: "POST", body: JSON.stringify(body), headers: { "X-Waypost": "1" } };
  let answer;
  try {
    answer = await fetch(path, how || {});
  } catch {
    throw new Error("The viewer does not answer any more; start it again with: waypost view");
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

const served = {
  offline: false,
  start: () => asked("/api/start"),
  card: id => asked(`/api/page?id=${encodeURIComponent(id)}`),
  search: words => asked(`/api/search?q=${encodeURIComponent(words)}`),
  route: (to, from) => asked(`/api/route?to=${encodeURIComponent(to)}&from=${encodeURIComponent(from || "")}`),
  changes: () => asked("/api/changes"),
  live: since => asked(`/api/live?since=${since}`),
  correct: said => asked("/api/correct", said),
  picture: (hash, size) => `/picture/${size}/${hash}`,
};

// Without a server there is no text model: pages are ranked by the words that they share with the question.

function wordsOf(text) {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []).filter(w => w.length > 2 || /[^a-z]/.test(w)));
}

function byWords(words) {
  const wanted = [...wordsOf(words)];
  const found = Object.values(inside.cards).filter(c => c.record).map(c => {
    const has = wordsOf(`${c.name} ${c.record.summary} ${c.record.intents.join(" ")}`);
    const why = wanted.filter(w => has.has(w));
    const named = wordsOf(c.name);
    const score = why.reduce((sum, w) => sum + (named.has(w) ? 2 : 1), 0);
    return { id: c.id, name: c.name, summary: c.record.summary, score, why, evidence: {} };
  }).filter(c => c.score > 0).sort((a, b) => b.score - a.score).slice(0, 8);
  return { asked: words, found: found.length ? found[0].id : null, confidence: null, candidates: found,
    reason: found.length ? "words in common" : "no page shares a word with it" };
}

const exported = inside && {
  offline: true,
  start: async () => inside.start,
  card: async id => inside.cards[id],
  search: async words => byWords(words),
  route: async (to, from) => {
    if (from && from !== inside.start.overview.root) throw new Error("In an exported file ways begin at the start");
    return inside.routes[to];
  },
  changes: async () => inside.changes,
  picture: hash => inside.pictures[hash],
};

const source = exported || served;
