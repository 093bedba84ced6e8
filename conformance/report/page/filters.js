// What chooses the rules that are listed.
import { countOf, element, marks, report, shown } from './data.js';
import { showRules } from './rules.js';

export function counts() {
  const buttons = marks.map((mark) =>
    element(
      'button',
      {
        type: 'button',
        class: mark,
        'aria-pressed': 'true',
        onclick: ({ currentTarget }) => {
          const on = currentTarget.getAttribute('aria-pressed') !== 'true';
          currentTarget.setAttribute('aria-pressed', String(on));
          if (on) shown.marks.add(mark);
          else shown.marks.delete(mark);
          showRules();
        },
      },
      element('span', { class: 'verdict' }, mark),
      String(countOf(report.results, mark)),
    ),
  );
  return element('div', { class: 'counts', role: 'group', 'aria-label': 'Verdicts shown' }, ...buttons);
}

export function controls() {
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
