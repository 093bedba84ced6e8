// The rules, each with what is known of it.
import { element, marks, plural, report, shown } from './data.js';

function matches({ id, chapter, level, mark, statement, finding, reason }) {
  if (!shown.marks.has(mark) || (shown.chapter && shown.chapter !== chapter)) return false;
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
  const { id, mark, level, statement, source, finding, reason, warnings, exchanges } = result;
  const details = element(
    'details',
    { class: mark, id },
    element(
      'summary',
      {},
      element('span', { class: 'verdict' }, mark),
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
      labelled('known', report.known.find((one) => one.id === id)?.why),
      mark === 'stale' ? element('p', {}, 'Expected to be broken, and kept: to be taken off the list.') : '',
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

export const list = element('div', { id: 'rules' });
export const total = element('p', { class: 'faint', role: 'status' });

export function showRules() {
  const found = report.results
    .filter(matches)
    .sort((one, other) => marks.indexOf(one.mark) - marks.indexOf(other.mark));
  total.textContent = plural(found.length, 'rule');
  list.replaceChildren(...found.map(elementOf));
}

/** Shows a rule whatever the filters say. */
export function reveal(id) {
  if (!document.getElementById(id)) {
    const result = report.results.find((one) => one.id === id);
    if (result) list.prepend(elementOf(result));
  }
  const found = document.getElementById(id);
  if (found) found.open = true;
  found?.querySelector('summary').focus();
}

export function step(by) {
  const all = [...list.querySelectorAll(':scope > details > summary')];
  const at = all.indexOf(document.activeElement);
  all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
}
