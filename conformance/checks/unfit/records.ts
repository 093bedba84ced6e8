import { base64, missigned, signingRequestPem } from '../../../fixtures/certificates.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const { events, jobs, namespaces, signingRequests } = kindPaths;

const seen = '2024-05-06T07:08:09.000001Z';
const series = (parts: Json): Json => ({ series: { count: 2, lastObservedTime: seen, ...parts } });
const longWord = 'x'.repeat(129);

const ofEvents = judged(events, {
  base: { regarding: { namespace: 'default' } },
  refused: {
    'no time': { eventTime: undefined },
    ...Object.fromEntries(
      ['action', 'reason', 'reportingInstance', 'reportingController'].map((word) => [`no ${word}`, { [word]: '' }]),
    ),
    ...Object.fromEntries(
      ['action', 'reason', 'reportingInstance'].map((word) => [`129 letters of ${word}`, { [word]: longWord }]),
    ),
    'a note of 1025 letters': { note: 'x'.repeat(1025) },
    'a note of 1026 bytes': { note: 'ä'.repeat(513) },
    'no type': { type: undefined },
    'another type': { type: 'normal' },
    'a controller that is no name': { reportingController: 'not a name!' },
    'a series of one': series({ count: 1 }),
    'a series that was never seen': series({ lastObservedTime: undefined }),
    'a count as of old': { deprecatedCount: 2 },
    'a source as of old': { deprecatedSource: { component: 'a' } },
    'where its source is, as of old': { deprecatedSource: { host: 'a' } },
    'a time as of old': { deprecatedFirstTimestamp: '2024-05-06T07:08:09Z' },
    'a last time as of old': { deprecatedLastTimestamp: '2024-05-06T07:08:09Z' },
    'an object in no namespace': { regarding: { namespace: undefined } },
  },
  fixed: {
    'another note': { note: 'other' },
    'another reason': { reason: 'Other' },
    'another time': { eventTime: '2024-05-06T07:08:10.000001Z' },
    'another type that there is': { type: 'Warning' },
    'another object': { regarding: { name: 'other' } },
    'another action': { action: 'Other' },
    'another who reports': { reportingController: 'example.com/other' },
    'another instance that reports': { reportingInstance: 'other' },
    'something that it is related to': { related: { kind: 'Pod', name: 'a' } },
  },
  fitting: {
    'words of 128 letters': {
      action: longWord.slice(1),
      reason: longWord.slice(1),
      reportingInstance: longWord.slice(1),
    },
    'a note of 1024 letters': { note: 'x'.repeat(1024) },
    'a series of two': series({}),
  },
});

/** Where Events were before, one that has a time of the newer kind must say as much as one of those. */
const ofOldEvents = judged(
  { ...events, group: '' },
  {
    name: 'events of the core group',
    base: {
      ...{ regarding: undefined, note: undefined, reportingController: undefined },
      ...{ involvedObject: { namespace: 'default' }, reportingComponent: 'example.com/judge' },
    },
    refused: {
      ...Object.fromEntries(
        ['action', 'reason', 'reportingInstance', 'reportingComponent'].map((word) => [`no ${word}`, { [word]: '' }]),
      ),
      'a component that is no name': { reportingComponent: 'not a name!' },
      '129 letters of action': { action: longWord },
      'a message of 1025 letters': { message: 'x'.repeat(1025) },
    },
    free: { 'another message': { message: 'other' } },
  },
);

const usages = (...all: readonly string[]): Json => spec({ usages: all });
const signer = (signerName: string): Json => spec({ signerName });
const request = (text: string): Json => spec({ request: base64(text) });

/** A name of so many letters, in parts of at most 63. */
const parts = (length: number): string => 'a'.repeat(length).replaceAll(/(a{63})a(?=a)/g, '$1.');
/** The longest that a signer's name may be: a domain, and a path of a name and one more word. */
const longest = `${parts(253)}/${'b'.repeat(253)}.${'c'.repeat(63)}`;

const ofRequests = judged(signingRequests, {
  fresh: {
    'no usage': usages(),
    'one usage twice': usages('client auth', 'digital signature', 'client auth'),
    'an unknown usage': usages('client auth', 'Server Auth'),
    'no signer': signer(''),
    'a signer of no domain': signer('plain'),
    'a signer with two slashes': signer('example.com/a/b'),
    'a signer whose domain is one word': signer('example/a'),
    'a signer in capitals': signer('Example.com/a'),
    'a signer of a bad name': signer('example.com/A_b'),
    'a signer whose domain has 254 letters': signer(`${parts(254)}/b`),
    'a signer of 572 letters': signer(`${longest}c`),
    'the signer of old requests': signer('kubernetes.io/legacy-unknown'),
    'no request': request('nothing'),
    'a request in another block': request(signingRequestPem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')),
    'a request that somebody else signed': request(missigned(signingRequestPem)),
  },
  fitting: {
    'a signer of a long name': signer('a.b.example.com/one.two-three'),
    'a signer of 571 letters': signer(longest),
    'text around a request': request(`before\n${signingRequestPem}after\n`),
  },
});

const ofLifetimes = judged(signingRequests, {
  name: 'lifetimes of certificatesigningrequests',
  holds: { from: 22 },
  fresh: {
    'less than ten minutes': spec({ expirationSeconds: 599 }),
    'no time at all': spec({ expirationSeconds: 0 }),
  },
  fitting: { 'ten minutes': spec({ expirationSeconds: 600 }) },
});

const ofJobs = judged(jobs, {
  name: 'indexed jobs',
  holds: { from: 22 },
  base: spec({ suspend: true, completionMode: 'Indexed', completions: 2, parallelism: 1 }),
  refused: {
    'an unknown mode': spec({ completionMode: 'Other' }),
    'no number of completions': spec({ completions: undefined }),
    'more than 100000 at once': spec({ parallelism: 100_001 }),
    'fewer than none at once': spec({ parallelism: -1 }),
    'fewer than no completions': spec({ completions: -1 }),
    'fewer than no retries': spec({ backoffLimit: -1 }),
    'less than no deadline': spec({ activeDeadlineSeconds: -1 }),
    'less than no time to be kept': spec({ ttlSecondsAfterFinished: -1 }),
  },
  fixed: {
    'another mode': spec({ completionMode: 'NonIndexed' }),
    'another number of completions': spec({ completions: 3 }),
  },
  fitting: { '100000 at once': spec({ parallelism: 100_000, completions: 200_000 }) },
});

const ofOneSuccess = judged(jobs, {
  name: 'jobs of which one success is enough',
  base: spec({ suspend: true, completions: undefined, parallelism: 2 }),
  fresh: {
    'pods that are labelled as those of another': spec({ template: { metadata: { labels: { 'job-name': 'other' } } } }),
    'pods of its own choice, without saying so': spec({
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } } },
    }),
  },
  fixed: { 'a number of completions': spec({ completions: 3 }) },
  free: { 'more at once': spec({ parallelism: 3 }) },
});

const ofJobNames = judged(jobs, {
  name: 'names of indexed jobs',
  holds: { from: 25 },
  base: spec({ suspend: true, completionMode: 'Indexed', completions: 2, parallelism: 1 }),
  fresh: { 'no room for the names of its pods': { metadata: { name: 'a'.repeat(62) } } },
  fitting: { 'room for the names of its pods': { metadata: { name: 'a'.repeat(61) } } },
});

const finalizers = (...all: readonly string[]): Json => spec({ finalizers: all });

const ofNamespaces = judged(namespaces, {
  fresh: {
    'a finalizer without a domain': finalizers('plain'),
    'a finalizer that is no name': finalizers('not good/'),
    'a name with a dot': { metadata: { name: 'a.b' } },
    'a name of 64 letters': { metadata: { name: 'a'.repeat(64) } },
  },
});

/** What is told, asked for and counted, and where all of that is. */
export const unfitRecords: readonly JudgedKind[] = [
  ofEvents,
  ofOldEvents,
  ofRequests,
  ofLifetimes,
  ofJobs,
  ofOneSuccess,
  ofJobNames,
  ofNamespaces,
];
