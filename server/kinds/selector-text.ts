import type { LabelSelectorField } from './label-selector-field.ts';

const words: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };

/** A selector field as tables show it: `app=web,tier in (a,b),!gone`; `<none>` when it asks for nothing. */
export function selectorText(selector: LabelSelectorField | undefined): string {
  const requirements: [key: string, text: string][] = [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]): [string, string] => [key, `${key}=${value}`]),
    ...(selector?.matchExpressions ?? []).map(({ key = '', operator = '', values = [] }): [string, string] => {
      if (operator === 'Exists') return [key, key];
      if (operator === 'DoesNotExist') return [key, `!${key}`];
      return [key, `${key} ${words[operator] ?? operator} (${[...values].sort().join(',')})`];
    }),
  ];
  requirements.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return requirements.map(([, text]) => text).join(',') || '<none>';
}
