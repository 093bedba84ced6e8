#!/usr/bin/env node
// `npm run soak [-- --minutes 60]`: a server under all sorts of work for a while, with webhooks in each write. In the end
// its memory must be flat, what watchers saw must be what is stored, and nothing may be left: no request, no watch, no
// timer, no socket. Exit 1 if not.
import { Agent, request } from 'undici';
import { startServer } from '../server/start.ts';
import { given, numberGiven } from './given.ts';
import { servePolicies, wasSeen } from './soak-policies.ts';

const { values } = given('soak', { options: { minutes: { type: 'string', default: '3' } } });
const milliseconds = numberGiven('soak', 'minutes', values.minutes) * 60_000;
const objects = 300;
const watchers = 20;
const writers = 8;
/** What the heap may grow by between the first and the last part of the time. */
const growth = { ratio: 1.25, bytes: 16 * 1024 * 1024 };

const before = resources();
const server = await startServer({ etcdCompactionInterval: 10_000 });
const agent = new Agent({ connect: { ca: server.certificateAuthority }, allowH2: false, bodyTimeout: 0 });
const path = '/api/v1/namespaces/default/configmaps';

function resources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((each) => /Timeout|TCP|TLS|Immediate/.test(each) && !/TTY|Pipe/.test(each));
}

async function call(method: string, url: string, body?: object, type = 'application/json') {
  const answer = await request(server.url + url, {
    dispatcher: agent,
    method: method as 'GET',
    headers: { authorization: `Bearer ${server.adminToken}`, ...(body && { 'content-type': type }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

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
const work: readonly (() => Promise<{ status: number }>)[] = [
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
const expected = new Set([200, 201, 403, 404, 409, 410, 422]);

/** Follows the objects as a client does: lists, watches from there, and lists anew when it has to. */
class Follower {
  readonly seen = new Map<string, string>();
  version = '';
  relists = 0;
  readonly #cut = new AbortController();

  async run(): Promise<void> {
    while (!this.#cut.signal.aborted) {
      await this.#list();
      await this.#watch().catch(() => {});
    }
  }

  stop(): void {
    this.#cut.abort();
  }

  async #list(): Promise<void> {
    const { items, metadata } = JSON.parse((await call('GET', path)).text);
    this.seen.clear();
    for (const item of items) this.seen.set(item.metadata.name, item.metadata.resourceVersion);
    this.version = metadata.resourceVersion;
    this.relists++;
  }

  async #watch(): Promise<void> {
    const seconds = 5 + Math.floor(Math.random() * 20);
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${this.version}`;
    const { body } = await request(`${server.url}${path}?${query}`, {
      dispatcher: agent,
      signal: this.#cut.signal,
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!this.#take(JSON.parse(line))) return;
    }
  }

  #take({
    type,
    object: { metadata },
  }: {
    type: string;
    object: { metadata: { name: string; resourceVersion: string } };
  }) {
    if (type === 'ERROR') return false;
    this.version = metadata.resourceVersion;
    if (type === 'DELETED') this.seen.delete(metadata.name);
    else if (type !== 'BOOKMARK') this.seen.set(metadata.name, metadata.resourceVersion);
    return true;
  }
}

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

const failures: string[] = [];
const until = Date.now() + milliseconds;
const heap: number[] = [];
const collect = (globalThis as { gc?: () => void }).gc;
const sampling = setInterval(
  () => {
    collect?.();
    heap.push(process.memoryUsage().heapUsed + process.memoryUsage().external);
  },
  Math.max(1000, milliseconds / 60),
);

const followers = Array.from({ length: watchers }, () => new Follower());
const following = followers.map((each) => each.run());
let done = 0;
await Promise.all(
  Array.from({ length: writers }, async () => {
    while (Date.now() < until) {
      const { status } = await (work[Math.floor(Math.random() * work.length)] as (typeof work)[number])();
      if (!expected.has(status)) failures.push(`an answer of ${status}`);
      done++;
    }
  }),
);
clearInterval(sampling);

await new Promise((resolve) => setTimeout(resolve, 1000));
const items: readonly Item[] = JSON.parse((await call('GET', path)).text).items;
const stored = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
const unseen = items.filter((each) => each.metadata.name.startsWith('soak-') && !wasSeen(each));
if (unseen.length > 0) failures.push(`webhooks were not asked of ${unseen.map(({ metadata }) => metadata.name)}`);
for (const [number, { seen }] of followers.entries()) {
  const differ = [...new Set([...seen.keys(), ...stored.keys()])].filter((each) => seen.get(each) !== stored.get(each));
  if (differ.length > 0) failures.push(`watcher ${number} saw something else of ${differ.slice(0, 5).join(', ')}`);
}
for (const each of followers) each.stop();
await Promise.all(following);
await server.stop();
await webhooks.stop();
await agent.destroy();
await new Promise((resolve) => setTimeout(resolve, 500));

const third = Math.floor(heap.length / 3);
const least = (part: readonly number[]) => Math.min(...part);
const [early, late] = [least(heap.slice(third, 2 * third)), least(heap.slice(2 * third))];
if (third > 0 && late > early * growth.ratio + growth.bytes)
  failures.push(`memory grew from ${early} to ${late} bytes`);
const left = resources().length - before.length;
if (left > 0) failures.push(`left over: ${resources().join(', ')}`);

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const relists = followers.reduce((sum, each) => sum + each.relists, 0);
console.log(
  `${done} requests, ${relists} lists of ${watchers} watchers, memory ${megabytes(early)} then ${megabytes(late)}`,
);
for (const failure of new Set(failures)) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
