import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Json } from '../../verbs/client.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { openPlayedBackend } from './backend.ts';
import { cleanUp } from './clean-up.ts';
import { openHooks, type PlayedHooks } from './hooks.ts';
import type { Observation } from './observation.ts';
import { type Memory, type Request, requestOf } from './request.ts';
import { fieldAt, outlineOf, type Scenario, type Step } from './scenario.ts';
import type { Side } from './side.ts';
import { unpacked } from './unpacked.ts';
import { isStream, type OpenStream, type Patience, readBeside } from './watching.ts';

export interface Played {
  readonly own: string;
  /** Milliseconds since 1970. */
  readonly begun: number;
  /** Texts that hold what the player says of himself; what stands in only some of them is of one play. */
  readonly sent: readonly string[];
  readonly observations: readonly Observation[];
}

/** Words for the names of one play: none comes twice, and all are equally long. */
export type OwnWords = () => string;

export function makeOwnWords(run: string): OwnWords {
  let count = 0;
  return () => `t${run}${(count++).toString(36).padStart(5, '0')}`;
}

/** Why a play was broken off. */
export class Stopped extends Error {}

/**
 * Plays a scenario on one side, under the names of `own`. What it leaves is taken away after the last answer. Throws
 * Stopped, after that, when the run was ended on the way.
 */
export async function play(side: Side, scenario: Scenario, own: string, patience: Patience): Promise<Played> {
  const { needed, text } = outlineOf(scenario);
  const others = await openOthers(scenario, own, side.webhookHost);
  const kept = { answers: new Map(others.places), bytes: new Map(), sent: new Map() };
  const memory: Memory = { own, run: side.run, needed, ...kept, ...others };
  const begun = Date.now();
  try {
    await makeNamespaces(side, scenario, own);
    const streams = new Map<Step, OpenStream>();
    const act = (step: Step): Promise<Observation> => take({ side, memory, streams, patience }, step);
    const prepared = await inOrder(scenario.prepare ?? [], side.stopped, act);
    const seen = await inOrder(scenario.steps, side.stopped, act);
    const waiting = side.stopped.aborted ? { quiet: 0, mark: 0 } : patience;
    const observations = await allTold(seen, streams, waiting);
    await cleanUp(side, scenario, own, [...prepared, ...seen]);
    if (seen.length < scenario.steps.length) throw new Stopped('the run was ended');
    return { own, begun, sent: [text], observations };
  } finally {
    others.close();
  }
}

/** Whom a server talks to in a play: webhooks, and a server behind it. */
async function openOthers({ hooks = [], backend }: Scenario, own: string, host: string): Promise<PlayedHooks> {
  const opened = await openHooks(hooks, host);
  if (!backend) return opened;
  const { place, heard, close } = await openPlayedBackend(own, host);
  return {
    places: new Map([...opened.places, ['backend', place]]),
    heard: () => ({ ...opened.heard(), backend: heard() }),
    close: () => {
      opened.close();
      close();
    },
  };
}

async function makeNamespaces(side: Side, { namespaces }: Scenario, own: string): Promise<void> {
  const labels = { [runLabel]: side.run };
  const made = Array.from({ length: namespaces }, (_, at) =>
    side.client.send('POST', '/api/v1/namespaces', {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${own}-${at + 1}`, labels } },
    }),
  );
  await Promise.all(made);
}

/** How many requests of a play go at once: each more may need a connection of its own, which costs as much as ten requests. */
const mostAlongside = 6;

/** The steps from a place on that go at once: none that sends again what another of them is still to be answered. */
export function togetherAt(steps: readonly Step[], at: number): readonly Step[] {
  const [first, ...more] = steps.slice(at, at + mostAlongside) as [Step, ...Step[]];
  const together = [first];
  for (const step of first.alongside ? more : []) {
    const { body, alongside } = step;
    const waits = body !== undefined && 'passedOf' in body && together.some(({ id }) => id === body.passedOf);
    if (!alongside || waits) break;
    together.push(step);
  }
  return together;
}

/** One after another, until it is stopped; neighbours that may run alongside do. */
async function inOrder(
  steps: readonly Step[],
  stopped: AbortSignal,
  act: (step: Step) => Promise<Observation>,
): Promise<readonly Observation[]> {
  const all: Observation[] = [];
  for (let at = 0; at < steps.length && !stopped.aborted; ) {
    const together = togetherAt(steps, at);
    all.push(...(await Promise.all(together.map(act))));
    at += together.length;
  }
  return all;
}

type Answered = Omit<Observation, 'at'>;

/** What the steps of one play have in common. */
interface Stage {
  readonly side: Side;
  readonly memory: Memory;
  readonly streams: Map<Step, OpenStream>;
  readonly patience: Patience;
}

/** More than a second, in milliseconds: times of objects are told in seconds. */
const anotherSecond = 1_100;

async function take(stage: Stage, step: Step): Promise<Observation> {
  if (step.later) await pause(anotherSecond);
  try {
    const seen = step.watch ? await opened(stage, step) : await answered(stage, step);
    remember(stage.memory, seen);
    return { ...seen, at: Date.now() };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { step, at: Date.now(), status: 0, headers: {}, warnings: [], bytes: Buffer.alloc(0), failure };
  }
}

function remember(memory: Memory, { step, bytes, headers }: Answered): void {
  if (!memory.needed.has(step.id)) return;
  memory.bytes.set(step.id, bytes);
  if (!headers['content-type']?.includes('json')) return;
  try {
    memory.answers.set(step.id, JSON.parse(bytes.toString('utf8')) as Json);
  } catch {
    // Nothing to refer to.
  }
}

const mostPages = 60;

async function answered({ side, memory, patience }: Stage, step: Step): Promise<Answered> {
  if (step.heard) return heardNow(step, memory);
  const answer = await patiently(side, requestOf(step, memory), step, patience);
  const seen = seenOf(step, answer);
  return step.walk && answer.body?.metadata && answer.status === 200
    ? { ...seen, bytes: await walked(side, step, memory, answer.body) }
    : seen;
}

/** How often a read is sent again that a server was too late for. */
const repeats = 3;

/** For how long what is to be answered a status is sent again, and after how long each time, in milliseconds. */
const awaiting = { limit: 8_000, pause: 40 };

const isEarly = (answer: Answer, { awaits, awaitsMember, awaitsValue }: Step): boolean =>
  (awaits !== undefined && answer.status !== awaits) ||
  (awaitsMember !== undefined && answer.status === 200 && fieldAt(answer.body, awaitsMember) === undefined) ||
  (awaitsValue !== undefined && fieldAt(answer.body, awaitsValue.path) !== awaitsValue.value);

/** Whether an object may still become another one, or go, without anybody's doing. */
function isMoving(answer: Answer, before: Answer | undefined, { awaitsRest }: Step): boolean {
  if (!awaitsRest || answer.status === 404) return false;
  const { metadata } = answer.body ?? {};
  if (metadata?.deletionTimestamp && metadata.finalizers?.includes(awaitsRest.finalizer)) return true;
  return before?.status !== answer.status || before.body?.metadata?.resourceVersion !== metadata?.resourceVersion;
}

/** A version that was told of somewhere comes; one that was made up does not. */
const mayComeYet = ({ method, query }: Step): boolean =>
  method === 'GET' && /resourceVersion[":=]+</.test(JSON.stringify(query ?? ''));

/** A server that answers from a cache may be late to hear of a version; it says 504 and after how long to ask again. */
async function patiently(
  side: Side,
  { method, path, options }: Request,
  step: Step,
  { quiet }: Patience,
): Promise<Answer> {
  const until = performance.now() + awaiting.limit;
  let answer = await side.client.send(method, path, options);
  let before: Answer | undefined;
  while (
    (isEarly(answer, step) || isMoving(answer, before, step)) &&
    performance.now() < until &&
    !side.stopped.aborted
  ) {
    await pause(step.awaitsRest ? quiet : awaiting.pause);
    before = answer;
    answer = await side.client.send(method, path, options);
  }
  for (let count = 0; count < repeats && answer.status === 504 && mayComeYet(step); count++)
    answer = await side.client.send(method, path, options);
  return answer;
}

const heardNow = (step: Step, { heard }: Memory): Answered => ({
  step,
  status: 200,
  headers: { 'content-type': 'application/json' },
  warnings: [],
  bytes: Buffer.from(JSON.stringify(heard())),
});

/** All pages as one list. Whether there is but one is decided by what others have there: it is told alike. */
async function walked(side: Side, step: Step, memory: Memory, first: Json): Promise<Buffer> {
  const { method, path, options } = requestOf(step, memory);
  // The token says at which version: to ask for one beside it is refused.
  const { resourceVersion: _, resourceVersionMatch: __, ...asked } = options.query as Record<string, string>;
  const items: Json[] = [...(first.items ?? [])];
  let page = first;
  for (let count = 1; page?.metadata?.continue && count < mostPages; count++) {
    const query = { ...asked, continue: page.metadata.continue };
    page = (await side.client.send(method, path, { ...options, query })).body;
    items.push(...(page?.items ?? [{ page: page?.code ?? 'no list' }]));
  }
  const { continue: ___, remainingItemCount: ____, ...metadata } = first.metadata;
  return Buffer.from(JSON.stringify({ ...first, metadata, items }));
}

function seenOf(step: Step, answer: Answer): Answered {
  return {
    step,
    status: answer.status,
    headers: answer.headers,
    warnings: answer.all('warning'),
    bytes: unpacked(answer),
  };
}

const openLimit = 10_000;

async function opened({ side, memory, streams }: Stage, step: Step): Promise<Answered> {
  const { path, options } = requestOf(step, memory);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), openLimit);
  const { status, headers, stream } = await side.client.open(path, { ...options, signal: stop.signal });
  clearTimeout(timer);
  streams.set(
    step,
    readBeside(stream, step.watch?.until, () => stop.abort()),
  );
  return { step, status, headers, warnings: [], bytes: Buffer.alloc(0) };
}

/** Streams without an end mark are read until the others have come to theirs: by then they are told as much. */
async function allTold(
  seen: readonly Observation[],
  streams: ReadonlyMap<Step, OpenStream>,
  patience: Patience,
): Promise<readonly Observation[]> {
  const isMarked = ({ step }: Observation): boolean => step.watch?.until !== undefined;
  const tell = (one: Observation): Promise<Observation> => told(one, streams.get(one.step), patience);
  const marked = await Promise.all(seen.map((one) => (isMarked(one) ? tell(one) : one)));
  return Promise.all(marked.map((one) => (isMarked(one) ? one : tell(one))));
}

/** The same with all that its stream told, if it has one. A refusal is a whole answer: it is read to its end. */
async function told(seen: Observation, stream: OpenStream | undefined, patience: Patience): Promise<Observation> {
  if (!stream) return seen;
  const { bytes, ended } = await stream.gathered(patience);
  return { ...seen, bytes, ended: ended && isStream(seen.status) };
}
