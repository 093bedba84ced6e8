import type { Finding, RuleResult } from '../result.ts';
import type { Exchange } from '../verbs/exchange.ts';

/** Broken rules that are likely broken by one and the same fault. */
export interface Cause {
  /** What they have in common, in one line. */
  readonly what: string;
  readonly results: readonly RuleResult[];
}

export const isBroken = ({ verdict }: Pick<RuleResult, 'verdict'>): boolean =>
  verdict === 'fail' || verdict === 'error';

/** So many rules that fail alike are one finding. */
const alikeFrom = 3;

/** Groups what is broken by its likely cause, the one with the most rules first. */
export function causesOf(results: readonly RuleResult[]): Cause[] {
  const broken = results.filter(isBroken);
  const byLikeness = Map.groupBy(broken, likenessOf);
  const what = (result: RuleResult): string => {
    const likeness = likenessOf(result);
    return likeness && (byLikeness.get(likeness)?.length ?? 0) >= alikeFrom ? likeness : causeOf(result);
  };
  return [...Map.groupBy(broken, what)]
    .map(([cause, group]) => ({ what: cause, results: group }))
    .sort((one, other) => other.results.length - one.results.length);
}

/** An assertion of the rule did not hold, although every step on the way was taken. */
const isOwnAffair = ({ finding, exchanges }: RuleResult): boolean =>
  finding?.kind === 'assertion' && !faultIn(exchanges);

/** What rules that fail by one fault have in common, if anything; requests of a party's own tell nothing of it. */
function likenessOf(result: RuleResult): string | undefined {
  if (!isOwnAffair(result)) return silenceOf(result);
  const line = firstLine(tellingOf(result.finding).message);
  const awaited = /^waited \d+ ms until ([^,:;]+)/.exec(line)?.[1];
  if (awaited) return `waited in vain until ${general(awaited)}`;
  return result.exchanges.at(-1)?.isAsked ? line.replace(/\d+/g, '…') : shapeOf(result);
}

/** Who holds back what a server sends, as a proxy that waits for the end, leaves watches of all kinds without a word. */
function silenceOf({ finding, exchanges }: RuleResult): string | undefined {
  const fault = finding?.kind === 'timeout' ? faultIn(exchanges) : undefined;
  const isWatch = fault?.failure !== undefined && new URL(fault.url).searchParams.has('watch');
  return isWatch ? 'a watch is not answered in time' : undefined;
}

/** Parameters that nearly all requests have say nothing. */
const common: ReadonlySet<string> = new Set(['labelSelector', 'fieldManager']);

/** The method and the parameters of the request before the failure; undefined when it had none that tells. */
function shapeOf({ exchanges }: RuleResult): string | undefined {
  const last = exchanges.at(-1);
  if (!last || !URL.canParse(last.url)) return undefined;
  const names = [...new Set(new URL(last.url).searchParams.keys())].sort();
  if (names.every((name) => common.has(name))) return undefined;
  return `what is seen after a ${last.method} with ${names.join(', ')}`;
}

/** What a step on the way did not do breaks all rules that take it; an assertion is the rule's own affair. */
function causeOf({ id, finding, exchanges }: RuleResult): string {
  const { cell, message } = tellingOf(finding);
  const line = firstLine(message);
  if (finding?.kind === 'missing') return line;
  const fault = faultIn(exchanges);
  if (fault && finding?.kind !== 'crash') return faultText(fault);
  if (finding?.kind === 'preparation') return general(line);
  return `${id}: ${cell ? `${firstLine(finding?.message ?? '')} ${cell}: ${line}` : line}`;
}

/** Of a general rule the first cell that is broken as the rule is said to be. */
const tellingOf = (finding: Finding | undefined): { readonly message: string; readonly cell?: string } =>
  finding?.cells?.find(({ kind }) => kind === finding.kind) ?? { message: finding?.message ?? '' };

const faultIn = (exchanges: readonly Exchange[]): Exchange | undefined =>
  exchanges.findLast(
    ({ status, failure, isAsked, isCut }) => !isAsked && !isCut && (status >= 500 || failure !== undefined),
  );

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

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
    // A custom type, or its kind.
    .replace(/\b[tT][a-z0-9]+\d{5}s?\b/g, '…')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .slice(0, 200);
