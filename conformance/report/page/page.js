// The script of the report page: it shows what stands in the page as data, and asks nobody for anything.
const { reports } = JSON.parse(document.getElementById('data').textContent);
const verdicts = ['fail', 'error', 'warn', 'skipped', 'pass'];
const [report] = reports;
const shown = { verdicts: new Set(verdicts), chapter: '', level: '', search: '' };

/** An element with these attributes and children; text is always text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
}

const countOf = (results, verdict) => results.filter((one) => one.verdict === verdict).length;
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

function head() {
  const cells = report.results.reduce(
    (sum, { cells, verdict }) => sum + (verdict === 'skipped' ? 0 : (cells?.judged ?? 1)),
    0,
  );
  const claim = report.profiles.length > 0 ? `claims ${report.profiles.join(', ')}` : 'nothing claimed';
  // Only servers have versions and claims.
  const server = report.version ? `${report.version} · ${claim} · ` : '';
  const facts = `${server}${plural(report.results.length, 'rule')}, ${plural(cells, 'cell')} · ${new Date(report.startedAt).toUTCString()} · ${(report.milliseconds / 1000).toFixed(1)} s`;
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'top' },
      element('div', {}, element('h1', {}, `Conformance of ${report.target}`), element('p', { class: 'faint' }, facts)),
      element('button', { type: 'button', onclick: turn, title: 'Light or dark (t)' }, 'Light / dark'),
    ),
    bar(report.results),
  );
}

function bar(results) {
  const parts = verdicts.map((verdict) => {
    const count = countOf(results, verdict);
    return element('span', { class: verdict, style: `flex: ${count}`, title: `${count} ${verdict}` });
  });
  const label = verdicts.map((verdict) => `${countOf(results, verdict)} ${verdict}`).join(', ');
  return element('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

function turn() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

function counts() {
  const buttons = verdicts.map((verdict) =>
    element(
      'button',
      {
        type: 'button',
        class: verdict,
        'aria-pressed': 'true',
        onclick: ({ currentTarget }) => {
          const on = currentTarget.getAttribute('aria-pressed') !== 'true';
          currentTarget.setAttribute('aria-pressed', String(on));
          if (on) shown.verdicts.add(verdict);
          else shown.verdicts.delete(verdict);
          showRules();
        },
      },
      element('span', { class: 'verdict' }, verdict),
      String(countOf(report.results, verdict)),
    ),
  );
  return element('div', { class: 'counts', role: 'group', 'aria-label': 'Verdicts shown' }, ...buttons);
}

function controls() {
  const choice = (name, label, values) =>
    element(
      'select',
      {
        'aria-label': label,
        onchange: ({ currentTarget }) => {
          shown[name] = currentTarget.value;
          showRules();
        },
      },
      element('option', { value: '' }, `all ${label}`),
      ...values.map((value) => element('option', { value }, value)),
    );
  return element(
    'div',
    { class: 'controls' },
    element('input', {
      type: 'search',
      id: 'search',
      placeholder: 'Search ids, sentences, messages  ( / )',
      'aria-label': 'Search',
      oninput: ({ currentTarget }) => {
        shown.search = currentTarget.value.toLowerCase();
        showRules();
      },
    }),
    choice('chapter', 'chapters', [...new Set(report.results.map(({ chapter }) => chapter))]),
    choice('level', 'levels', ['must', 'should', 'may']),
  );
}

/** What is broken, by its likely cause. */
function findings() {
  if (report.causes.length === 0) return '';
  return element(
    'section',
    {},
    element('h2', {}, `${plural(report.causes.length, 'finding')}`),
    ...report.causes.map(({ what, ids }) =>
      element(
        'details',
        { class: 'fail', open: report.causes.length < 4 },
        element('summary', {}, element('span', { class: 'verdict' }, plural(ids.length, 'rule')), what),
        element(
          'p',
          {},
          ...ids.flatMap((id) => [element('a', { href: `#${id}`, onclick: () => reveal(id) }, id), ' ']),
        ),
      ),
    ),
  );
}

function missing() {
  if (report.notJudged.length === 0) return '';
  const rows = report.notJudged.map(({ reason, ids, leftOut }) =>
    element(
      'tr',
      {},
      element('td', { class: 'number' }, String(ids.length)),
      element('td', {}, leftOut ? `claimed, but ${reason}` : reason),
    ),
  );
  return element('section', {}, element('h2', {}, 'Not judged'), element('table', {}, ...rows));
}

function chapters() {
  const names = [...new Set(report.results.map(({ chapter }) => chapter))];
  const rows = names.map((chapter) => {
    const own = report.results.filter((one) => one.chapter === chapter);
    const numbers = verdicts.map((verdict) =>
      element('td', { class: `number ${verdict}` }, String(countOf(own, verdict) || '·')),
    );
    return element('tr', {}, element('th', { scope: 'row' }, chapter), ...numbers);
  });
  const titles = verdicts.map((verdict) => element('th', { class: 'number', scope: 'col' }, verdict));
  return element(
    'details',
    {},
    element('summary', {}, 'Chapters'),
    element(
      'div',
      { class: 'scroll' },
      element('table', {}, element('tr', {}, element('th', {}, 'chapter'), ...titles), ...rows),
    ),
  );
}

/** Several reports side by side: what they do not agree on comes first. */
function comparison() {
  if (reports.length < 2) return '';
  const byId = reports.map(({ results }) => new Map(results.map((one) => [one.id, one.verdict])));
  const ids = [...new Set(reports.flatMap(({ results }) => results.map(({ id }) => id)))];
  const rows = ids
    .map((id) => ({ id, found: byId.map((results) => results.get(id)) }))
    .filter(({ found }) => new Set(found).size > 1)
    .map(({ id, found }) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, element('a', { href: `#${id}`, onclick: () => reveal(id) }, id)),
        ...found.map((verdict) =>
          element('td', { class: verdict ?? '' }, element('span', { class: 'verdict' }, verdict ?? '—')),
        ),
      ),
    );
  const titles = reports.map(({ name, target, version }) =>
    element('th', { scope: 'col' }, name ?? target, element('div', { class: 'faint' }, version)),
  );
  const totals = reports.map(({ results }) =>
    element('td', {}, verdicts.map((verdict) => `${countOf(results, verdict)} ${verdict}`).join(' · ')),
  );
  return element(
    'section',
    {},
    element('h2', {}, `Side by side: ${plural(rows.length, 'rule')} told apart`),
    element(
      'div',
      { class: 'scroll' },
      element(
        'table',
        {},
        element('tr', {}, element('th', {}, 'rule'), ...titles),
        element('tr', {}, element('th', { scope: 'row' }, 'all'), ...totals),
        ...rows,
      ),
    ),
  );
}

function matches({ id, chapter, level, verdict, statement, finding, reason }) {
  if (!shown.verdicts.has(verdict) || (shown.chapter && shown.chapter !== chapter)) return false;
  if (shown.level && shown.level !== level) return false;
  return `${id} ${statement} ${finding?.message ?? ''} ${reason ?? ''}`.toLowerCase().includes(shown.search);
}

const labelled = (label, text) =>
  text === undefined ? '' : element('p', {}, element('strong', {}, `${label}: `), element('code', {}, text));

function exchange({ cell, curl, outcome, answerBody }) {
  const body = answerBody.trim();
  return element(
    'details',
    {},
    element('summary', {}, `${cell ? `${cell}: ` : ''}${outcome}`),
    element('pre', {}, `${cell ? `# ${cell}\n` : ''}$ ${curl}`),
    body === '' ? '' : element('pre', {}, body),
  );
}

function cellsOf({ cells, finding }) {
  if (!cells) return '';
  const broken = (finding?.cells ?? []).map(({ cell, message }) =>
    element('tr', {}, element('th', { scope: 'row' }, cell), element('td', {}, message)),
  );
  return element(
    'div',
    {},
    element(
      'p',
      {},
      `${cells.held} of ${plural(cells.judged, 'cell')} hold${cells.skipped.length > 0 ? `, ${cells.skipped.length} not judged` : ''}.`,
    ),
    broken.length > 0 ? element('div', { class: 'scroll' }, element('table', {}, ...broken)) : '',
  );
}

/** A sentence of the catalogue, in which what stands between backticks is code. */
const sentence = (text) => text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));

/** What an assertion says after its first line is told as expected and seen. */
const messageOf = ({ message, expected }) =>
  expected === undefined && message.includes('\n')
    ? element('pre', {}, message)
    : element('p', {}, message.split('\n')[0]);

function rule(result) {
  const { id, verdict, level, statement, source, finding, reason, warnings, exchanges } = result;
  const details = element(
    'details',
    { class: verdict, id },
    element(
      'summary',
      {},
      element('span', { class: 'verdict' }, verdict),
      element('strong', {}, id),
      ' ',
      ...sentence(statement),
    ),
  );
  // Most are never opened.
  const fill = () =>
    details.append(
      element('p', { class: 'faint' }, `${level} · ${source}`),
      finding ? messageOf(finding) : '',
      labelled('expected', finding?.expected),
      labelled('seen', finding?.seen),
      labelled('why', reason),
      ...warnings.map((warning) => element('p', {}, warning)),
      cellsOf(result),
      ...exchanges.map(exchange),
    );
  details.addEventListener('toggle', fill, { once: true });
  return details;
}

/** Each is made once, so that what was opened stays open. */
const made = new Map();

function elementOf(result) {
  if (!made.has(result.id)) made.set(result.id, rule(result));
  return made.get(result.id);
}

const list = element('div', { id: 'rules' });
const total = element('p', { class: 'faint', role: 'status' });

function showRules() {
  const found = report.results
    .filter(matches)
    .sort((one, other) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict));
  total.textContent = plural(found.length, 'rule');
  list.replaceChildren(...found.map(elementOf));
}

/** Shows a rule whatever the filters say. */
function reveal(id) {
  if (!document.getElementById(id)) {
    const result = report.results.find((one) => one.id === id);
    if (result) list.prepend(elementOf(result));
  }
  const found = document.getElementById(id);
  if (found) found.open = true;
  found?.querySelector('summary').focus();
}

function step(by) {
  const all = [...list.querySelectorAll(':scope > details > summary')];
  const at = all.indexOf(document.activeElement);
  all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
}

const keys = { '/': () => document.getElementById('search').focus(), j: () => step(1), k: () => step(-1), t: turn };

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') document.activeElement?.blur();
  if (['INPUT', 'SELECT'].includes(event.target.tagName) || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// On paper nothing can be opened any more.
addEventListener('beforeprint', () => {
  for (const details of list.querySelectorAll('details.fail, details.error')) details.open = true;
});

document.body.replaceChildren(
  head(),
  counts(),
  comparison(),
  findings(),
  missing(),
  chapters(),
  element('h2', {}, 'Rules'),
  controls(),
  total,
  list,
  element(
    'p',
    { class: 'faint' },
    'Keys: / search, j and k go through the rules, Enter opens one, t turns light into dark.',
  ),
);
showRules();
if (location.hash) reveal(decodeURIComponent(location.hash.slice(1)));
