import type { Meddling, Sabotage } from '../sabotage/sabotage.ts';
import {
  asSecret,
  boundTo,
  byFirstKey,
  countedWithItems,
  firstOf,
  managersNow,
  withAnswer,
  withBody,
  withoutParameter,
} from './spoilt-bodies.fixture.ts';

/** A server with one fault, by what a proxy before a sound one does. */
export interface Fault {
  readonly name: string;
  /** The resource on which it shows. */
  readonly resource: string;
  /** The tour in which it shows. */
  readonly tour: string;
  /** What the difference is called that shows it. */
  readonly signature: RegExp;
  /** The most steps that its shortest sequence may have. */
  readonly steps: number;
  readonly meddling: Meddling;
}

export const sabotageOf = ({ name, meddling }: Fault): Sabotage => ({ name, begin: () => meddling });

export const faults: readonly Fault[] = [
  {
    name: 'a rehearsed status is kept',
    resource: 'resourcequotas',
    tour: 'status of',
    signature: /^get resourcequotas|^update resourcequotas\/status/,
    steps: 3,
    meddling: {
      request: (request) =>
        request.method === 'PUT' && request.path.endsWith('/status') ? withoutParameter(request, 'dryRun') : request,
    },
  },
  {
    name: 'a selection loses its short last page',
    resource: 'secrets',
    tour: 'pages',
    signature: /^list secrets: items\.length/,
    steps: 6,
    meddling: {
      answer: (answer, { method, query }) => {
        const limit = Number(query.get('limit'));
        if (method !== 'GET' || !query.has('labelSelector') || !query.has('continue')) return answer;
        return withAnswer(answer, (list) => (list.items?.length < limit ? { ...list, items: [] } : list));
      },
    },
  },
  {
    name: 'a watch over all namespaces never hears of a new one',
    resource: 'secrets',
    tour: 'watches',
    signature: /^watch all secrets/,
    steps: 8,
    meddling: {
      event: (event, { path }) =>
        path === '/api/v1/secrets' && event.object?.metadata?.namespace?.endsWith('-11') ? [] : [event],
    },
  },
  {
    name: 'an update forgets the version it is bound to',
    resource: 'leases',
    tour: 'a life',
    signature: /^update leases.*: status/,
    steps: 4,
    meddling: {
      request: (request) =>
        request.method === 'PUT' ? withBody(request, (body) => boundTo('resourceVersion', body)) : request,
    },
  },
  {
    name: 'a deletion forgets its preconditions',
    resource: 'secrets',
    tour: 'deletion of',
    signature: /^delete secrets: status/,
    steps: 2,
    meddling: {
      request: (request) =>
        request.method === 'DELETE' ? withBody(request, ({ preconditions: _, ...options }) => options) : request,
    },
  },
  {
    name: 'a deletion of a collection takes what was not chosen',
    resource: 'leases',
    tour: 'deletion of collections',
    signature: /leases/,
    steps: 6,
    meddling: {
      request: (request) => {
        const chosen = request.query.get('labelSelector') ?? '';
        if (request.method !== 'DELETE' || !chosen.includes(',')) return request;
        const query = new URLSearchParams(request.query);
        query.set('labelSelector', chosen.split(',')[0] as string);
        return { ...request, query, rawQuery: query.toString() };
      },
    },
  },
  {
    name: 'a table has the row of each object twice',
    resource: 'secrets',
    tour: 'selections',
    signature: /Table: rows\.length/,
    steps: 3,
    meddling: {
      answer: (answer) =>
        withAnswer(answer, (body) =>
          body.kind === 'Table' && body.rows?.length > 1 ? { ...body, rows: [...body.rows, body.rows[0]] } : body,
        ),
    },
  },
  {
    name: 'what a webhook warns of is lost',
    resource: 'configmaps',
    tour: 'webhooks on',
    signature: /^create configmaps dry: header warnings/,
    steps: 1,
    meddling: {
      answer: (answer) => {
        const { warning: _, ...headers } = answer.headers;
        return { ...answer, headers };
      },
    },
  },
  {
    name: 'pages after the first count what is on them as well',
    resource: 'secrets',
    tour: 'moments of',
    signature: /^list secrets: metadata\.remainingItemCount/,
    steps: 9,
    meddling: {
      answer: (answer, { query }) => (query.has('continue') ? withAnswer(answer, countedWithItems) : answer),
    },
  },
  {
    name: 'what is applied to a status has to be JSON',
    resource: 'jobs',
    tour: 'status of',
    signature: /^apply patch jobs.*status dry: status 400 for 200/,
    steps: 2,
    meddling: {
      answer: (answer, { method, path, body }) =>
        method === 'PATCH' && path.endsWith('/status') && !/^[{[]/.test(body.toString('utf8'))
          ? { ...answer, status: 400 }
          : answer,
    },
  },
  {
    name: 'an author has the first of his values alone',
    resource: 'certificatesigningrequests',
    tour: 'authors of',
    signature: /spec\.extra\..*length/,
    steps: 2,
    meddling: {
      request: (request) => ({
        ...request,
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, firstOf(name, value)]),
        ),
      }),
    },
  },
  {
    name: 'a page that is full says that there is more',
    resource: 'secrets',
    tour: 'pages',
    signature: /^list secrets: metadata\.continue/,
    steps: 6,
    meddling: {
      answer: (answer, { method, query }) =>
        method === 'GET' && Number(query.get('limit')) === 5 && !query.has('labelSelector')
          ? withAnswer(answer, (list) => ({ ...list, metadata: { ...list.metadata, continue: 'more' } }))
          : answer,
    },
  },
  {
    name: 'a rule of a type is taken for kept',
    resource: 'customresourcedefinitions',
    tour: 'a type of expressions on numbers',
    signature: /^create things: details\.causes\.length/,
    steps: 3,
    meddling: {
      answer: (answer, { path }) =>
        path.endsWith('/things')
          ? withAnswer(answer, ({ details, ...status }) => ({
              ...status,
              ...(details && { details: { ...details, causes: details.causes?.slice(1) } }),
            }))
          : answer,
    },
  },
  {
    name: 'a large answer is sent unpacked to who takes it packed',
    resource: 'secrets',
    tour: 'packed answers',
    signature: /^get secrets: header content-encoding/,
    steps: 2,
    meddling: {
      request: ({ headers: { 'accept-encoding': _, ...headers }, ...request }) => ({ ...request, headers }),
    },
  },
  {
    name: 'a table forgets which fields were chosen',
    resource: 'secrets',
    tour: 'choices in forms',
    signature: /^list secrets Table: rows\.length/,
    steps: 4,
    meddling: {
      request: (request) =>
        String(request.headers['accept']).includes('as=Table') ? withoutParameter(request, 'fieldSelector') : request,
    },
  },
  {
    name: 'events name the version that is stored',
    resource: 'horizontalpodautoscalers',
    tour: 'versions of horizontalpodautoscalers.v2',
    signature: /^watch horizontalpodautoscalers\.v1\.autoscaling: events\[\]\.object\.apiVersion/,
    steps: 4,
    meddling: {
      event: (event, { query }) =>
        query.get('labelSelector')?.includes('color')
          ? [{ ...event, object: { ...event.object, apiVersion: 'autoscaling/v2' } }]
          : [event],
    },
  },
  {
    name: 'what a webhook changed is answered in its version',
    resource: 'customresourcedefinitions',
    tour: 'webhooks of another version',
    signature: /^create things\.v2\.custom dry: apiVersion/,
    steps: 2,
    meddling: {
      answer: (answer, { path }) =>
        withAnswer(answer, (body) =>
          path.includes('/v2/') && body.metadata?.labels?.by
            ? { ...body, apiVersion: body.apiVersion.replace('/v2', '/v1') }
            : body,
        ),
    },
  },
  {
    name: 'entries are told apart by the first of their keys alone',
    resource: 'customresourcedefinitions',
    tour: 'a type of entries with two keys',
    signature: /things: spec\.ports\.length/,
    steps: 3,
    meddling: {
      answer: (answer, { path }) =>
        withAnswer(answer, (body) =>
          path.includes('/things') && body.spec?.ports
            ? { ...body, spec: { ...body.spec, ports: byFirstKey(body.spec.ports) } }
            : body,
        ),
    },
  },
  {
    name: 'each write renews the times of all managers',
    resource: 'secrets',
    tour: 'owners of',
    signature: /secrets.*: metadata\.managedFields\[\]\.time/,
    steps: 3,
    meddling: { answer: (answer) => withAnswer(answer, managersNow) },
  },
  {
    name: 'protobuf is read as what the path is about, whatever it says that it is',
    resource: 'secrets',
    tour: 'spoilt bytes',
    signature: /^create secrets dry: status 201 for 400/,
    steps: 2,
    meddling: { request: asSecret },
  },
];
