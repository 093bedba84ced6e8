// What is told of all rules together.
import { countOf, element, marks, plural, report, reports, verdicts } from './data.js';
import { reveal } from './rules.js';

const linkTo = (id) => element('a', { href: `#${id}`, onclick: () => reveal(id) }, id);

/** What is broken and was not known to be, by its likely cause. */
export function findings() {
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
        element('p', {}, ...ids.flatMap((id) => [linkTo(id), ' '])),
      ),
    ),
  );
}

/** What was expected to be broken: what is not any more comes first, for the run fails by it. */
export function expectations() {
  const told = [
    ...report.stale.map((id) => ({ id, why: 'kept by now: to be taken off the list', mark: 'stale' })),
    ...report.known.map((one) => ({ ...one, mark: 'known' })),
  ];
  if (told.length === 0) return '';
  const rows = told.map(({ id, why, mark }) =>
    element(
      'tr',
      { class: mark },
      element('td', {}, element('span', { class: 'verdict' }, mark)),
      element('th', { scope: 'row' }, linkTo(id)),
      element('td', {}, why),
    ),
  );
  const title = element('h2', {}, 'Expected to be broken');
  return element('section', { id: 'expected' }, title, element('table', {}, ...rows));
}

export function missing() {
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

export function chapters() {
  const names = [...new Set(report.results.map(({ chapter }) => chapter))];
  const rows = names.map((chapter) => {
    const own = report.results.filter((one) => one.chapter === chapter);
    const numbers = marks.map((mark) => element('td', { class: `number ${mark}` }, String(countOf(own, mark) || '·')));
    return element('tr', {}, element('th', { scope: 'row' }, chapter), ...numbers);
  });
  const titles = marks.map((mark) => element('th', { class: 'number', scope: 'col' }, mark));
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

/** Whether reports that judged a rule disagree on it. */
const differ = ({ found }) => new Set(found.filter(Boolean)).size > 1;

/** Several reports side by side: what they do not agree on comes first, then what only some of them judged. */
export function comparison() {
  if (reports.length < 2) return '';
  const byId = reports.map(({ results }) => new Map(results.map((one) => [one.id, one.verdict])));
  const ids = [...new Set(reports.flatMap(({ results }) => results.map(({ id }) => id)))];
  const told = ids.map((id) => ({ id, found: byId.map((results) => results.get(id)) }));
  const apart = told.filter(differ);
  const inSome = told.filter((each) => !differ(each) && each.found.includes(undefined));
  const rows = [...apart, ...inSome].map(({ id, found }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, linkTo(id)),
      ...found.map((verdict) =>
        element('td', { class: verdict ?? '' }, element('span', { class: 'verdict' }, verdict ?? '—')),
      ),
    ),
  );
  const titles = reports.map(({ name, target, version }) =>
    element('th', { scope: 'col' }, name ?? target, element('div', { class: 'faint' }, version)),
  );
  const totals = reports.map(({ results }) =>
    element(
      'td',
      {},
      verdicts.map((verdict) => `${results.filter((one) => one.verdict === verdict).length} ${verdict}`).join(' · '),
    ),
  );
  return element(
    'section',
    {},
    element(
      'h2',
      {},
      `Side by side: ${plural(apart.length, 'rule')} told apart${inSome.length ? `, ${inSome.length} only in some` : ''}`,
    ),
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
