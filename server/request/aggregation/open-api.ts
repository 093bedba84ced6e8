import { createHash } from 'node:crypto';
import { reachService } from '../../kinds/core/service/reach.ts';
import { reachable } from '../openapi/reachable.ts';
import type { RequestServices } from '../services.ts';
import type { AggregatedApi } from './aggregated-apis.ts';
import { askBackend } from './ask-backend.ts';

type Services = Pick<RequestServices, 'aggregated' | 'lookup' | 'backends' | 'clock'>;

/** A map of a document that another server made. */
type Members = Readonly<Record<string, object>>;

/** What a Swagger 2.0 document tells of one version of a group. */
export interface Part {
  readonly paths: Members;
  readonly definitions: Members;
  /** Another one for whatever differs. */
  readonly hash: string;
}

/** Milliseconds for which an answer counts, and that there was none. */
const lasting = 10_000;
const maxBytes = 32 << 20;

/** What is asked of each server: a path, and what is kept of the answer. */
interface Question<T> {
  readonly path: string;
  readonly read: (api: AggregatedApi, answer: Buffer) => T;
  readonly known: WeakMap<AggregatedApi, { readonly until: number; readonly value: Promise<T | undefined> }>;
}

const address3: Question<string | undefined> = {
  path: '/openapi/v3',
  known: new WeakMap(),
  read({ group, version }, answer) {
    const path = `apis/${group}/${version}`;
    const { paths } = JSON.parse(answer.toString()) as { paths?: Record<string, { serverRelativeURL?: unknown }> };
    const url = paths?.[path]?.serverRelativeURL;
    // Elsewhere there is what this server tells itself.
    return typeof url === 'string' && url.split('?', 1)[0] === `/openapi/v3/${path}` ? url : undefined;
  },
};

const part2: Question<Part> = {
  path: '/openapi/v2',
  known: new WeakMap(),
  read({ group, version }, answer) {
    const { paths = {}, definitions = {} } = JSON.parse(answer.toString()) as {
      paths?: Members;
      definitions?: Members;
    };
    const base = `/apis/${group}/${version}/`;
    const own = Object.fromEntries(Object.entries(paths).filter(([path]) => `${path}/`.startsWith(base)));
    if (isDeep(own) || isDeep(definitions)) throw new Error(`${base}: nested too deeply`);
    const all = new Map(Object.entries(definitions));
    // One server may serve several groups, and tell the same of itself for each.
    const hash = createHash('sha256').update(base).update(answer).digest('hex');
    return { paths: own, definitions: reachable(own, (name) => all.get(name), '#/definitions/'), hash };
  },
};

/** Levels at most: others walk through it by calling themselves. */
const deepest = 500;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** Asks every server that is available; those that do not answer, or not so, tell nothing. */
async function askAll<T>(question: Question<T>, services: Services): Promise<(readonly [AggregatedApi, T])[]> {
  const apis = [...services.aggregated.all].filter(({ isAvailable }) => isAvailable);
  const told = await Promise.all(apis.map(async (api) => [api, await answerOf(api, question, services)] as const));
  return told.flatMap(([api, value]) => (value === undefined ? [] : [[api, value] as const]));
}

function answerOf<T>(api: AggregatedApi, question: Question<T>, services: Services): Promise<T | undefined> {
  const { path, read, known } = question;
  const now = services.clock.now();
  const before = known.get(api);
  if (before && before.until > now) return before.value;
  const ask = askBackend(reachService(services.lookup, services.backends.through));
  const value = ask(api, path, maxBytes)
    .then((answer) => read(api, answer))
    .catch(() => undefined);
  known.set(api, { until: now + lasting, value });
  return value;
}

/** Where the documents of OpenAPI 3 of other servers are, by the path of what they tell of; they answer there themselves. */
export const addressesElsewhere = async (services: Services): Promise<(readonly [path: string, url: string])[]> =>
  (await askAll(address3, services)).map(
    ([{ group, version }, url = '']) => [`apis/${group}/${version}`, url] as const,
  );

/** What other servers tell in Swagger 2.0 of what they serve behind this one. */
export const partsElsewhere = async (services: Services): Promise<readonly Part[]> =>
  (await askAll(part2, services)).map(([, part]) => part);
