#!/usr/bin/env node
// `npm run soak [-- --minutes 60 --etcd]`: a server under all sorts of work for a while, with webhooks in each write; with
// --etcd in an etcd that stands still for some seconds now and then. In the end its memory must be flat, what watchers
// saw must be what is stored, and nothing may be left: no request, no watch, no timer, no socket. Exit 1 if not.
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startServer } from '../server/start.ts';
import { EtcdProcess } from '../server/store/etcd/etcd-process.fixture.ts';
import { given, numberGiven } from './given.ts';
import { type Api, Follower } from './soak-follower.ts';
import { servePolicies, wasSeen } from './soak-policies.ts';

const { values } = given('soak', {
  options: { minutes: { type: 'string', default: '3' }, etcd: { type: 'boolean', default: false } },
});
const milliseconds = numberGiven('soak', 'minutes', values.minutes) * 60_000;
const objects = 300;
const watchers = 20;
const writers = 8;
/** What the heap may grow by between the first and the last part of the time. */
const growth = { ratio: 1.25, bytes: 16 * 1024 * 1024 };
/** Milliseconds for all to be as it should be in the end, and between two looks. */
const patience = { most: 30_000, step: 250 };
/** Milliseconds that etcd goes on, and stands still. */
const pauses = { every: 40_000, last: 5000 };
/** Sorts of failure that are told. */
const told = 20;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const etcd = values.etcd ? await EtcdProcess.start() : undefined;
const before = resources();
const server = await startServer({ etcdCompactionInterval: 10_000, ...(etcd && { etcdServers: [etcd.url] }) });
const agent = new Agent({ connect: { ca: server.certificateAuthority }, allowH2: false, bodyTimeout: 0 });
const path = '/api/v1/namespaces/default/configmaps';
const authorization = `Bearer ${server.adminToken}`;

function resources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((each) => /Timeout|TCP|TLS|Immediate/.test(each) && !/TTY|Pipe/.test(each));
}

async function call(method: string, url: string, body?: object, type = 'application/json') {
  const answer = await request(server.url + url, {
    dispatcher: agent,
    method: method as 'GET',
    headers: { authorization, ...(body && { 'content-type': type }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

const api: Api = {
  get: (url) => call('GET', url),
  stream: (url, signal) => request(server.url + url, { dispatcher: agent, signal, headers: { authorization } }),
};

const webhooks = await servePolicies((url, object) => call('POST', url, object));

const name = () => `soak-${Math.floor(Math.random() * objects)}`;
const text = () => 'x'.repeat(Math.floor(Math.random() * 2000));
const object = (of: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: of },
  data: { text: text() },
});

/** One piece of work, by chance. What fails because another was faster is part of it. */
const work: readonly (() => ReturnType<typeof call>)[] = [
  () => call('POST', path, object(name())),
  async () => {
    const of = name();
    return call('PUT', `${path}/${of}`, object(of));
  },
  async () => {
    const of = name();
    const manager = Math.floor(Math.random() * 5);
    return call(
      'PATCH',
      `${path}/${of}?fieldManager=m${manager}&force=true`,
      object(of),
      'application/apply-patch+yaml',
    );
  },
  () => call('PATCH', `${path}/${name()}`, { data: { more: text() } }, 'application/merge-patch+json'),
  () => call('DELETE', `${path}/${name()}`),
  () => call('GET', path),
  () => call('GET', `${path}?limit=50`),
  () => call('GET', `${path}/${name()}`),
  () => call('POST', path, { metadata: { name: '' } }),
];
/** Where etcd does not answer, that is said. */
const expected = new Set([200, 201, 403, 404, 409, 410, 422, ...(etcd ? [504] : [])]);
const unanswered = /\b504\b/;

/** How often each was met. */
const failures = new Map<string, number>();
const fail = (failure: string) => void failures.set(failure, (failures.get(failure) ?? 0) + 1);

const until = Date.now() + milliseconds;
let done = 0;

async function write(): Promise<void> {
  while (Date.now() < until) {
    try {
      const { status, text } = await (work[Math.floor(Math.random() * work.length)] as (typeof work)[number])();
      if (!expected.has(status)) fail(`an answer of ${status}: ${text.slice(0, 300)}`);
    } catch (error) {
      fail(`no answer: ${error}`);
    }
    done++;
  }
}

const over = new AbortController();

/** Rests as long as the work goes on. */
const rest = (time: number) => setTimeout(time, undefined, { signal: over.signal }).catch(() => {});

async function disturb(): Promise<void> {
  for (;;) {
    await rest(pauses.every);
    if (!etcd || over.signal.aborted) return;
    etcd.pause();
    await rest(pauses.last);
    etcd.resume();
  }
}

const heap: number[] = [];
const collect = (globalThis as { gc?: () => void }).gc;

async function weigh(): Promise<void> {
  while (!over.signal.aborted) {
    await rest(Math.max(1000, milliseconds / 60));
    collect?.();
    heap.push(process.memoryUsage().heapUsed + process.memoryUsage().external);
  }
}

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** What is not as it should be of what is stored. */
async function differences(): Promise<string[]> {
  const { status, text } = await call('GET', path);
  if (status !== 200) return [`the last list was answered ${status}: ${text.slice(0, 300)}`];
  const items: readonly Item[] = JSON.parse(text).items;
  const stored = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  const unseen = items.filter((each) => each.metadata.name.startsWith('soak-') && !wasSeen(each));
  const wrong = unseen.map(({ metadata }) => `webhooks were not asked of ${metadata.name}`);
  for (const [number, { seen }] of followers.entries()) {
    const names = new Set([...seen.keys(), ...stored.keys()]);
    const differ = [...names].filter((each) => seen.get(each) !== stored.get(each));
    if (differ.length > 0) wrong.push(`watcher ${number} saw something else of ${differ.slice(0, 5).join(', ')}`);
  }
  return wrong;
}

/** What is still wrong after a while. */
async function lasting(look: () => Promise<string[]> | string[]): Promise<string[]> {
  for (let waited = 0; ; waited += patience.step) {
    const wrong = await look();
    if (wrong.length === 0 || waited >= patience.most) return wrong;
    await setTimeout(patience.step);
  }
}

const trouble = (what: string) => (etcd && unanswered.test(what) ? undefined : fail(what));
const followers = Array.from({ length: watchers }, () => new Follower(api, path, trouble));
const following = followers.map((each) => each.run());
const besides = [weigh(), disturb()];
await Promise.all(Array.from({ length: writers }, write));
over.abort();
await Promise.all(besides);

for (const difference of await lasting(differences)) fail(difference);
for (const each of followers) each.stop();
await Promise.all(following);
await server.stop();
await webhooks.stop();
await agent.destroy();
const left = await lasting(() => resources().slice(before.length));
if (left.length > 0) fail(`left over: ${resources().join(', ')}; before there were ${before.join(', ') || 'none'}`);
await etcd?.stop();

const third = Math.floor(heap.length / 3);
const least = (part: readonly number[]) => Math.min(...part);
const [early, late] = [least(heap.slice(third, 2 * third)), least(heap.slice(2 * third))];
if (third > 0 && late > early * growth.ratio + growth.bytes) fail(`memory grew from ${early} to ${late} bytes`);

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const relists = followers.reduce((sum, each) => sum + each.relists, 0);
console.log(
  `${done} requests, ${relists} lists of ${watchers} watchers, memory ${megabytes(early)} then ${megabytes(late)}`,
);
for (const [failure, times] of [...failures].slice(0, told))
  console.error(times > 1 ? `${times} times ${failure}` : failure);
if (failures.size > told) console.error(`and ${failures.size - told} other failures`);
process.exitCode = failures.size > 0 ? 1 : 0;
