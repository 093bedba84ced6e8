import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { flowsOfNobody, type JudgedKind, judged, spec } from './judged-kind.ts';

const { flowSchemas, priorityLevels, apiServices } = kindPaths;

const someone = { kind: 'User', user: { name: 'nobody' } };
const asked = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], namespaces: ['touchstone-none'] };
const rule = (parts: Json): Json => spec({ rules: [{ subjects: [someone], resourceRules: [asked], ...parts }] });
const by = (subject: Json): Json => rule({ subjects: [someone, subject] });
const asking = (parts: Json): Json => rule({ resourceRules: [asked, { ...asked, ...parts }] });
const account = (parts: Json): Json =>
  by({ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b', ...parts } });
const visiting = (parts: Json): Json =>
  rule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a'], ...parts }] });

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'];

/** A star stands for all others, so it stands alone. */
const stars = Object.fromEntries(
  ['verbs', 'apiGroups', 'resources', 'namespaces'].flatMap((list) => [
    [`a star beside others of ${list}`, asking({ [list]: ['get', '*'] })],
    [`none of ${list}`, asking({ [list]: [] })],
  ]),
);

const ofSchemas = judged(flowSchemas, {
  base: flowsOfNobody,
  refused: {
    ...stars,
    'no level': spec({ priorityLevelConfiguration: { name: '' } }),
    'a bad name of a level': spec({ priorityLevelConfiguration: { name: 'Not_A_Name' } }),
    'less than no precedence': spec({ matchingPrecedence: -1 }),
    'a precedence beyond the last': spec({ matchingPrecedence: 10_001 }),
    'the precedence of who is exempt': spec({ matchingPrecedence: 1 }),
    'an unknown way to tell flows apart': spec({ distinguisherMethod: { type: 'Other' } }),
    'of nobody': rule({ subjects: [] }),
    'of nothing': rule({ resourceRules: [] }),
    'an unknown sort of subject': by({ kind: 'Other' }),
    'a user that is a group': by({ kind: 'User', group: { name: 'a' } }),
    'a user and a group': by({ ...someone, group: { name: 'a' } }),
    'a user without a name': by({ kind: 'User', user: { name: '' } }),
    'a group without a name': by({ kind: 'Group', group: { name: '' } }),
    'an account in no namespace': account({ namespace: '' }),
    'an account in every namespace': account({ namespace: '*' }),
    'an account without a name': account({ name: '' }),
    'a bad name of an account': account({ name: 'Not_A_Name' }),
    'an unknown verb': asking({ verbs: ['get', 'other'] }),
    'a bad name of a namespace': asking({ namespaces: ['Not_A_Name'] }),
    'a path without a slash': visiting({ nonResourceURLs: ['a'] }),
    'a path with a star within': visiting({ nonResourceURLs: ['/a/*/b'] }),
    'a path with a star at the end of a word': visiting({ nonResourceURLs: ['/a*'] }),
    'no path': visiting({ nonResourceURLs: [] }),
    'no verb for a path': visiting({ verbs: [] }),
  },
  free: {
    'another level': spec({ priorityLevelConfiguration: { name: 'touchstone-other' } }),
    'another precedence': spec({ matchingPrecedence: 10_000 }),
    'flows by their users': spec({ distinguisherMethod: { type: 'ByUser' } }),
    'other requests': asking({ namespaces: ['*'] }),
  },
  fitting: {
    'all accounts of a namespace': account({ name: '*' }),
    'everybody and everything': rule({
      subjects: [{ kind: 'Group', group: { name: '*' } }],
      resourceRules: [{ ...asked, verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
    }),
    'what is in no namespace': asking({ namespaces: [], clusterScope: true }),
    'every path below one': visiting({ nonResourceURLs: ['/a/*'] }),
    'a precedence of two': spec({ matchingPrecedence: 2 }),
    'flows by their namespaces': spec({ distinguisherMethod: { type: 'ByNamespace' } }),
    'every verb by its name': asking({ verbs }),
    'a group beside an account': rule({
      subjects: [
        { kind: 'Group', group: { name: 'a' } },
        { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
      ],
    }),
  },
});

const response = (limitResponse: Json): Json => spec({ limited: { limitResponse } });
const queues = (parts: Json): Json =>
  response({ type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 8, ...parts } });

const ofLevels = judged(priorityLevels, {
  rehearsed: { on: 'workload-low' },
  refused: {
    'an unknown type': spec({ type: 'Other' }),
    'one more that is exempt': spec({ type: 'Exempt', limited: undefined }),
    'limits of what is exempt': spec({ type: 'Exempt' }),
    'no limits': spec({ limited: undefined }),
    'fewer than no shares': spec({ limited: { assuredConcurrencyShares: -1 } }),
    'an unknown response': response({ type: 'Other' }),
    'queues for who waits for nothing': response({ type: 'Reject', queuing: { queues: 16, handSize: 4 } }),
    'nothing to wait in': response({ type: 'Queue', queuing: undefined }),
    ...Object.fromEntries(
      ['queues', 'handSize', 'queueLengthLimit'].map((word) => [`-1 of ${word}`, queues({ [word]: -1 })]),
    ),
    'more queues than there may be': queues({ queues: 10_000_001, handSize: 1 }),
    'a hand that is larger than all queues': queues({ queues: 2, handSize: 3 }),
    'a hand of more than 60 bits': queues({ queues: 10_000_000, handSize: 3 }),
  },
  free: { 'other shares': spec({ limited: { assuredConcurrencyShares: 7 } }), 'other queues': queues({}) },
  fitting: {
    'as many queues as there may be': queues({ queues: 10_000_000, handSize: 2 }),
    'a hand of all queues': queues({ queues: 8, handSize: 8 }),
    'one queue': queues({ queues: 1, handSize: 1 }),
  },
});

const backed = (parts: Json, more: Json = {}): Json =>
  spec({ service: { namespace: 'touchstone-none', name: 'none', ...parts }, ...more });

const ofServices = judged(apiServices, {
  rehearsed: { on: 'v1.apps' },
  refused: {
    'no priority of its group': spec({ groupPriorityMinimum: 0 }),
    'a priority of its group beyond the last': spec({ groupPriorityMinimum: 20_001 }),
    'no priority of its version': spec({ versionPriority: 0 }),
    'a priority of its version beyond the last': spec({ versionPriority: 1001 }),
    'another group than its name says': spec({ group: 'other.touchstone.example' }),
    'another version than its name says': spec({ version: 'v2' }),
    'authorities of what is served here': spec({ caBundle: 'YQ==' }),
    'trust in what is served here': spec({ insecureSkipTLSVerify: true }),
    'authorities and trust in everybody': backed({}, { caBundle: 'YQ==', insecureSkipTLSVerify: true }),
    'a service without a name': backed({ name: '' }),
    'a service in no namespace': backed({ namespace: '' }),
    'a service at no port of the network': backed({ port: 70_000 }),
  },
  free: { 'other priorities': spec({ groupPriorityMinimum: 20_000, versionPriority: 1000 }) },
  fitting: {
    'the least of all': spec({ groupPriorityMinimum: 1, versionPriority: 1 }),
    'a service that the machine vouches for': backed({}),
    'a service somewhere': backed({ port: 8443 }, { insecureSkipTLSVerify: true }),
  },
});

/** Who is let in before whom, and who serves what. */
/** Without these requests would not be served as they should: what they say is fixed. */
const fixed = [
  judged(flowSchemas, {
    ...{ name: 'the schema of what is left over', rehearsed: { on: 'catch-all' } },
    fixed: {
      'earlier than others': spec({ matchingPrecedence: 9000 }),
      'of another level': spec({ priorityLevelConfiguration: { name: 'global-default' } }),
      'for nobody': spec({ rules: [] }),
    },
  }),
  judged(priorityLevels, {
    ...{ name: 'the level of what is left over', rehearsed: { on: 'catch-all' } },
    fixed: { 'with another share': spec({ limited: { assuredConcurrencyShares: 77 } }) },
  }),
];

export const unfitFlows: readonly JudgedKind[] = [ofSchemas, ofLevels, ofServices, ...fixed];
