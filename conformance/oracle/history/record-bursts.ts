import type { Json, SendOptions } from '../../verbs/client.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { mergePatchHeaders } from '../../verbs/patch-types.ts';
import { dropNamespace } from '../play/clean-up.ts';
import type { Side } from '../play/side.ts';
import type { Burst } from './burst.ts';

/** A kind whose objects several clients write to at once, in a namespace of their own. */
export interface BurstKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  /** What else an object of it has to have. */
  readonly parts?: Json;
  /** Members of its status that clients may each write one of, where it has a door of its own. */
  readonly status?: Readonly<Record<string, Json>>;
}

interface Field {
  readonly side: Side;
  readonly kind: BurstKind;
  readonly collection: string;
  readonly name: string;
}

const clients = 6;
const numbers = Array.from({ length: clients }, (_, at) => at);

/** One request of a client, whose write is told by a key of its own. */
interface Ask {
  readonly write: string;
  readonly method: string;
  readonly path: string;
  readonly options: SendOptions;
}

/** Bursts of each sort on objects of a kind, one object after the other. */
export async function recordBursts(
  side: Side,
  kind: BurstKind,
  namespace: string,
  { times, isOver }: { readonly times: number; readonly isOver: () => boolean },
): Promise<readonly Burst[]> {
  const base = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const collection = `${base}/namespaces/${namespace}/${kind.resource}`;
  const metadata = { name: namespace, labels: { [runLabel]: side.run } };
  await side.client.send('POST', '/api/v1/namespaces', { body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
  const bursts: Burst[] = [];
  try {
    for (let time = 0; time < times && !isOver(); time++) {
      const field = { side, kind, collection, name: `o${time}` };
      bursts.push(await creates(field), await updates(field));
      for (const type of ['merge-patch', 'apply-patch'] as const) bursts.push(await patches(field, type));
      if (kind.status) bursts.push(await statuses(field, kind.status));
    }
  } finally {
    await side.client.send('DELETE', collection).catch(() => undefined);
    await dropNamespace(side, namespace);
  }
  return bursts;
}

const objectOf = ({ kind: { apiVersion, kind, parts }, name }: Field, write: string): Json => ({
  ...{ apiVersion, kind, metadata: { name, annotations: { [write]: 'done' } } },
  ...parts,
});

const pathOf = ({ collection, name }: Field): string => `${collection}/${name}`;

/** Sends all at once, and gives those that were done. */
async function atOnce({ side }: Field, asks: readonly Ask[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    asks.map(({ method, path, options }) => side.client.send(method, path, options).catch(() => undefined)),
  );
  return asks.flatMap(({ write }, at) => ((answers[at]?.status ?? 500) < 300 ? [write] : []));
}

const annotationsOf = async (field: Field): Promise<readonly string[]> => {
  const { body } = await field.side.client.send('GET', pathOf(field));
  return Object.keys(body?.metadata?.annotations ?? {});
};

async function creates(field: Field): Promise<Burst> {
  const asks = numbers.map((at): Ask => {
    const write = `create-${at}`;
    return { write, method: 'POST', path: field.collection, options: { body: objectOf(field, write) } };
  });
  const done = await atOnce(field, asks);
  return { keeps: 'one', what: `creations of one of ${field.kind.resource}`, done, left: await annotationsOf(field) };
}

/** All bound to the same version. */
async function updates(field: Field): Promise<Burst> {
  const { body } = await field.side.client.send('GET', pathOf(field));
  const asks = numbers.map((at): Ask => {
    const write = `update-${at}`;
    const metadata = { ...body?.metadata, annotations: { ...body?.metadata?.annotations, [write]: 'done' } };
    return { write, method: 'PUT', path: pathOf(field), options: { body: { ...body, metadata } } };
  });
  const done = await atOnce(field, asks);
  return { keeps: 'one', what: `updates of one of ${field.kind.resource}`, done, left: await annotationsOf(field) };
}

async function patches(field: Field, type: 'merge-patch' | 'apply-patch'): Promise<Burst> {
  const isApply = type === 'apply-patch';
  const asks = numbers.map((at): Ask => {
    const write = `${type}-${at}`;
    const { apiVersion, kind } = field.kind;
    const change = { metadata: { name: field.name, annotations: { [write]: 'done' } } };
    return {
      ...{ write, method: 'PATCH', path: pathOf(field) },
      options: {
        body: JSON.stringify(isApply ? { apiVersion, kind, ...change } : change),
        headers: { 'content-type': `application/${type}+${isApply ? 'yaml' : 'json'}` },
        ...(isApply ? { query: { fieldManager: `client-${at}` } } : {}),
      },
    };
  });
  const done = await atOnce(field, asks);
  return { keeps: 'all', what: `${type}es of one of ${field.kind.resource}`, done, left: await annotationsOf(field) };
}

/** Each client another member of the status. */
async function statuses(field: Field, members: Readonly<Record<string, Json>>): Promise<Burst> {
  const asks = Object.entries(members).map(
    ([member, value]): Ask => ({
      ...{ write: member, method: 'PATCH', path: `${pathOf(field)}/status` },
      options: {
        body: JSON.stringify({ status: { [member]: value } }),
        headers: mergePatchHeaders,
      },
    }),
  );
  const done = await atOnce(field, asks);
  const { body } = await field.side.client.send('GET', pathOf(field));
  const left = Object.keys(body?.status ?? {});
  return { keeps: 'all', what: `patches of the status of one of ${field.kind.resource}`, done, left };
}
