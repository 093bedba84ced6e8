import type { BackendAnswer } from '../../../lab/backend.ts';
import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders, patchTypes } from '../../../verbs/patch-types.ts';
import { backendGroup, backendService, wishHeader } from '../../play/backend.ts';
import { type Body, ownLabels, type Scenario, type StepHeaders } from '../../play/scenario.ts';
import { type StepParts, Story } from '../story.ts';
import { somebody } from './hooks.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const apiService = `${apiServices}/v1.${backendGroup}`;
const services = '/api/v1/namespaces/<own>-1/services';
const base = `/apis/${backendGroup}/v1`;
const things = `${base}/namespaces/<own>-1/things`;

/** A port is a number, which stands for itself only once it is known. */
const withPort = (json: Json): Body => ({
  text: JSON.stringify(json).replaceAll('"<backend:port>"', '<backend:port>'),
});

/** A story of a group that another server serves. */
class BackendStory {
  readonly story = new Story();

  /** Sent to the other server, which is asked to answer so. */
  ask(method: string, path: string, answer: BackendAnswer = {}, parts: StepParts = {}): string {
    const headers = { [wishHeader]: JSON.stringify(answer), ...parts.headers };
    return this.story.add(`${method} of another server`, method, path, { ...parts, headers });
  }

  heard(): void {
    this.story.add('what another server is asked', 'GET', '/heard', { heard: true });
  }

  register(spec: Json): void {
    const json = {
      ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
      metadata: { name: `v1.${backendGroup}`, labels: ownLabels },
      spec: { group: backendGroup, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...spec },
    };
    this.story.add('register a group', 'POST', apiServices, { body: withPort(json) });
  }

  /** Until the server says so of the group. */
  awaitReason(reason: string): void {
    const awaitsValue = { path: 'status.conditions.0.reason', value: reason };
    this.story.add('await what is said of a group', 'GET', apiService, { awaitsValue });
  }

  reregister(what: string, spec: Json): void {
    this.story.add(what, 'PATCH', apiService, { headers: mergePatchHeaders, body: withPort({ spec }) });
  }

  discover(): void {
    for (const path of ['/apis', `/apis/${backendGroup}`, `/apis/${backendGroup}/`, base, `/apis/${backendGroup}/v2`])
      this.story.add('discover another server', 'GET', path);
  }
}

const service = { namespace: '<own>-1', name: backendService, port: '<backend:port>' };

/** A service that leads to this machine, and the group that is served there. */
function ready(at: BackendStory): void {
  const metadata = { name: backendService, labels: { app: '<own>' } };
  const spec = { type: 'ExternalName', externalName: '<backend:host>' };
  const json = { apiVersion: 'v1', kind: 'Service', metadata, spec };
  at.story.add('create a service', 'POST', services, { body: { json } });
  at.register({ service, caBundle: '<backend:caBundle>' });
  at.awaitReason('Passed');
  at.story.add('await another server', 'GET', base, { awaits: 200 });
}

const own: StepHeaders = {
  'x-own-one': 'a',
  'x-own-two': ['b', 'c'],
  cookie: 'd=e',
  'x-remote-user': 'system:admin',
  'x-remote-group': 'system:masters',
  'x-remote-extra-scopes': 'all',
  x_remote_user: 'system:admin',
};

const thing: Json = {
  apiVersion: `${backendGroup}/v1`,
  kind: 'Thing',
  metadata: { name: 'a' },
  spec: { much: 2 ** 40 },
};

/** Every method, with all that goes with a request. */
function asked(at: BackendStory): void {
  const item = `${things}/a`;
  for (const path of [
    things,
    `${item}/status`,
    `${item}/`,
    `${base}/things`,
    `${base}/unheard/of/it%2Fall`,
    `${base}/`,
  ])
    for (const query of ['', 'labelSelector=a%3Db%2Cc&limit=5', 'b=2&a=1&b=1', 'empty=&none&space=a+b%20c'])
      at.ask('GET', path, {}, { query });
  at.ask('GET', item, {}, { headers: own });
  at.heard();
  for (const query of [{}, { dryRun: 'All', fieldManager: 'alice', fieldValidation: 'Strict' }]) {
    at.ask('POST', things, { status: 201 }, { query, body: { json: thing } });
    at.ask('POST', things, {}, { query, body: { yaml: thing } });
    at.ask('PUT', item, {}, { query, body: { json: thing } });
    for (const type of Object.values(patchTypes))
      at.ask('PATCH', item, {}, { query, body: { json: thing }, headers: { 'content-type': type } });
    at.ask('DELETE', item, {}, { query, body: { json: { kind: 'DeleteOptions', apiVersion: 'v1' } } });
    at.ask('DELETE', things, {}, { query });
  }
  at.ask('POST', things, {}, { body: { text: 'no JSON: é' }, headers: { 'content-type': 'text/plain' } });
  at.ask('POST', things, {}, { body: { text: 'a'.repeat(4 << 20) } });
  at.heard();
}

/** For whom a request is made; and by whom it may be. */
function known(at: BackendStory): void {
  at.ask('GET', things, {}, { headers: somebody });
  at.ask('POST', things, {}, { headers: { 'impersonate-user': '<own>-nobody' }, body: { json: thing } });
  at.ask('GET', base, {}, { headers: { 'impersonate-user': '<own>-nobody' } });
  at.ask('GET', things, {}, { anonymous: true });
  at.ask('GET', things, {}, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io, */*;q=0.1' } });
  at.heard();
}

const status = (code: number, reason: string): BackendAnswer => ({
  status: code,
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: 'no',
  }),
});

/** What it may answer, and what becomes of that. */
const answers: readonly BackendAnswer[] = [
  ...[200, 201, 202, 203, 206, 299].map((code): BackendAnswer => ({ status: code })),
  { status: 204 },
  { status: 304, headers: { etag: '"a"' } },
  ...[300, 301, 302, 303, 307, 308].map((code): BackendAnswer => ({ status: code, headers: { location: '/there' } })),
  { status: 302, headers: { location: 'https://elsewhere.example/x' } },
  { status: 302 },
  { status: 201, headers: { location: `${things}/new` } },
  status(400, 'BadRequest'),
  { ...status(401, 'Unauthorized'), headers: { 'www-authenticate': 'Basic realm="other"' } },
  ...[403, 404, 405, 409, 410, 418, 422, 500, 501, 502, 503, 504].map((code) => status(code, 'Some')),
  { headers: { 'content-type': 'text/plain' }, body: 'mere text' },
  { headers: { 'content-type': 'text/html' }, body: '<html><a href="/there">there</a></html>' },
  { headers: { 'content-type': 'application/yaml' }, body: 'kind: Thing\n' },
  { headers: { warning: '299 - "from afar"' } },
  { body: '' },
  { body: '{"kind":' },
  { headers: { 'content-type': 'text/plain' }, body: 'large '.repeat(100), times: 5000 },
  { breaks: true },
];

function answered(at: BackendStory): void {
  for (const answer of answers) for (const method of ['GET', 'POST']) at.ask(method, things, answer, { query: 'a=b' });
  // A read is sent again by the player itself.
  at.ask('POST', things, { ...status(429, 'TooManyRequests'), headers: { 'retry-after': '7' } });
  at.ask('HEAD', things);
  const events = ['a', '<own>'].map((name) =>
    JSON.stringify({ type: 'ADDED', object: { kind: 'Thing', metadata: { name } } }),
  );
  at.ask('GET', things, { body: `${events.join('\n')}\n` }, { query: 'watch=1', watch: {} });
  at.ask('GET', things, status(410, 'Expired'), { query: 'watch=1', watch: {} });
  at.ask('GET', base, { status: 500 });
  at.ask('GET', base, { hangs: true });
  at.heard();
}

/** It is not to be reached any more, for one reason after another, and then not there. */
function lost(at: BackendStory): void {
  const attempt = (reason: string, awaits = 503): void => {
    at.awaitReason(reason);
    at.ask('GET', things, {}, { awaits });
    at.ask('POST', things, {}, { body: { json: thing } });
    at.discover();
  };
  at.reregister('trust nobody', { caBundle: null });
  attempt('FailedDiscoveryCheck');
  at.reregister('trust anybody', { insecureSkipTLSVerify: true });
  attempt('Passed', 200);
  at.reregister('call nobody', { service: { ...service, name: 'none' } });
  attempt('ServiceNotFound');
  at.reregister('serve it here', { service: null, insecureSkipTLSVerify: null });
  attempt('Local', 404);
  at.heard();
  at.story.add('deregister a group', 'DELETE', apiService);
  at.ask('GET', things, {}, { awaits: 404 });
  at.discover();
}

/** A group that another server serves behind the judged one. */
export function backendScenarios(): readonly Scenario[] {
  const at = new BackendStory();
  ready(at);
  const count = at.story.length;
  at.discover();
  for (const part of [asked, known, answered, lost]) part(at);
  const { steps, ...scenario } = at.story.scenario('a group of another server', 'sequences', 1);
  // Where the other server is, is not the same for both.
  return [{ ...scenario, backend: true, prepare: steps.slice(0, count), steps: steps.slice(count) }];
}
