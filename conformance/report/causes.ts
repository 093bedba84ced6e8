import type { RuleResult } from '../result.ts';
import type { Exchange } from '../verbs/exchange.ts';

/** Broken rules that are likely broken by one and the same fault. */
export interface Cause {
  /** What they have in common, in one line. */
  readonly what: string;
  readonly results: readonly RuleResult[];
}

export const isBroken = ({ verdict }: Pick<RuleResult, 'verdict'>): boolean =>
  verdict === 'fail' || verdict === 'error';

/** Groups what is broken by its likely cause, the one with the most rules first. */
export function causesOf(results: readonly RuleResult[]): Cause[] {
  const groups = new Map<string, RuleResult[]>();
  for (const result of results.filter(isBroken)) {
    const what = causeOf(result);
    groups.set(what, [...(groups.get(what) ?? []), result]);
  }
  return [...groups]
    .map(([what, group]) => ({ what, results: group }))
    .sort((one, other) => other.results.length - one.results.length);
}

/** What a step on the way did not do breaks all rules that take it; an assertion is the rule's own affair. */
function causeOf({ id, finding, exchanges }: RuleResult): string {
  const line = firstLine(finding?.message ?? '');
  if (finding?.kind === 'missing') return line;
  const fault = exchanges.findLast(({ status, failure }) => status >= 500 || failure !== undefined);
  if (fault && finding?.kind !== 'crash') return faultText(fault);
  if (finding?.kind === 'preparation') return general(line);
  const first = finding?.cells?.[0];
  return `${id}: ${line}${first ? ` ${first.cell}: ${firstLine(first.message)}` : ''}`;
}

export const firstLine = (text: string): string => text.split('\n')[0] ?? '';

const faultText = ({ method, url, status, failure, answerBody }: Exchange): string =>
  `${method} ${placeOf(url)}: ${failure ? general(failure) : `${status} ${general(messageOf(answerBody))}`.trim()}`;

/** The path of a request without the names in it. */
function placeOf(url: string): string {
  const { pathname } = new URL(url);
  const parts = pathname.split('/');
  const at = parts[1] === 'api' ? 3 : 4;
  const named = parts[at] === 'namespaces' && parts.length > at + 2 ? at + 2 : at;
  return parts
    .map((part, index) => (index === named + 1 ? '{name}' : index === named - 1 && named > at ? '{namespace}' : part))
    .join('/');
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

/** Names and numbers that each run makes anew left out, so that the same fault reads the same. */
const general = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/g, (url) => (URL.canParse(url) ? placeOf(url) : '…'))
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\b[a-z]+(?:-[a-z0-9]+)*-\d+\b/g, '…')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .slice(0, 200);
