import { planOf, type Session, withSession } from '../run-conformance.ts';
import { runPlan } from '../runner/run.ts';
import type { NotedSection } from '../runner/survey.ts';
import type { Exchange } from '../verbs/exchange.ts';
import { refusalOf } from '../verbs/guest/permit.ts';
import { placeOf } from '../verbs/guest/request-path.ts';
import type { Settings } from './flags.ts';
import { print, say, untilEnded } from './terminal.ts';

/** Plays the rules on the reference server, which is nobody's, and shows what they send. */
export function rehearse({ target: _, ...settings }: Settings, sections: readonly NotedSection[]): Promise<number> {
  return untilEnded((signal) =>
    withSession({ ...settings, readOnly: false, note: say }, (session) => show(settings, session, signal), sections),
  );
}

async function show(settings: Omit<Settings, 'target'>, session: Session, signal: AbortSignal): Promise<number> {
  const sent = new Map<string, readonly string[]>();
  const { errors } = await runPlan({
    sections: session.sections,
    ...(session.launcher ? { launcher: session.launcher } : {}),
    plan: planOf(session, { ...settings, verbose: true }),
    workers: settings.workers,
    failFast: false,
    signal,
    onResult: ({ id, exchanges }) => sent.set(id, sentBy(exchanges)),
  });
  for (const error of errors) say(error);
  for (const id of session.ids) print(`${id}\n${(sent.get(id) ?? []).map((line) => `  ${line}`).join('\n')}`);
  print(`${counted(session.ids.length)}; requests marked ! need --yes on a target that others use.`);
  return errors.length > 0 ? 1 : 0;
}

const counted = (count: number): string => (count === 1 ? '1 rule' : `${count} rules`);

const guest = { run: '', write: true, cluster: false, disruptive: true };

/** Each kind of request once, as `METHOD /path/{name}`, in the order in which they were first sent. */
export function sentBy(exchanges: readonly Exchange[]): readonly string[] {
  const lines = exchanges.map(({ method, url }) => {
    const { pathname, searchParams } = new URL(url);
    const query = searchParams.toString();
    const isWide = refusalOf({ method, path: pathname, query, body: undefined }, guest, () => true) !== undefined;
    return `${isWide ? '!' : ' '} ${method} ${template(pathname)}${paramsText(searchParams)}`;
  });
  return [...new Set(lines)];
}

/** The path without the names that each run makes anew. */
function template(path: string): string {
  const place = placeOf(path);
  if (!place) return path;
  const { root, namespace, resource, name, sub } = place;
  const parts = [namespace === undefined ? '' : '/namespaces/{namespace}', `/${resource}`, name ? '/{name}' : ''];
  return `${root}${parts.join('')}${sub ? `/${sub}` : ''}`;
}

const paramsText = (params: URLSearchParams): string => {
  const names = [...new Set(params.keys())];
  return names.length === 0 ? '' : `?${names.join('&')}`;
};
