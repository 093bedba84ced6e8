import { notFound, removeIn } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { lenient, unsupported } from '../meddling.ts';

const requestConditions = 'kinds/certificates/request-conditions.ts';

/** Conditions of a signing request: Approved, Denied and Failed. */
export default [
  fault('a signing request can be approved and denied', 'csr', lenient({ path: /\/approval$/ })),
  fault(
    'the approval of a request cannot be read',
    ['csr', 'verbs'],
    notFound({ method: 'GET', path: /\/certificatesigningrequests\/[^/]+\/approval$/ }),
  ),
  fault(
    'the message of an approval is lost',
    ['csr'],
    removeIn('status.conditions.*.message', { path: /\/certificatesigningrequests\/[^/]+(\/approval)?$/ }),
  ),
  slip(
    'the reason of a condition of a request is lost',
    ['csr'],
    requestConditions,
    "if (condition.reason === '') delete",
    'delete',
  ),
  slip(
    'a failure may be false',
    ['csr'],
    requestConditions,
    "lasting.includes(type) ? ['True']",
    "decisions.includes(type) ? ['True']",
  ),
  slip(
    'a Denied request takes a Failed instead',
    ['csr'],
    requestConditions,
    "const lasting = ['Approved', 'Denied', 'Failed'];",
    "const lasting = ['Approved', 'Failed'];",
  ),
  slip(
    'why a request was approved may be changed through its status',
    ['csr'],
    requestConditions,
    'for (const [nth, [place]] of places.entries()) next[place] = { ...before[nth] };',
    'for (const [nth, [place, now]] of places.entries()) next[place] = { ...before[nth], ...now };',
  ),
  slip(
    'a request may be both approved and denied',
    'csr',
    requestConditions,
    "if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved')))",
    'if (false)',
  ),
  slip(
    'a failed request may be taken back',
    'csr',
    requestConditions,
    "const lasting = ['Approved', 'Denied', 'Failed'];",
    "const lasting = ['Approved', 'Denied'];",
  ),
  slip(
    'a request may be approved through its status',
    'csr',
    requestConditions,
    '.filter((type) => count(next, type) > count(previous, type))',
    '.filter(() => false)',
  ),
  slip('conditions of a request bear no time', 'csr', requestConditions, 'condition.lastUpdateTime ||= time;', ''),
  slip('a condition that stays begins anew', 'csr', requestConditions, 'since.get(key(condition)) ?? time', 'time'),
  slip(
    'a signer may reword an approval while it says that it failed',
    ['csr'],
    requestConditions,
    '[...(next ?? []).entries()].filter(([, condition]) => condition.type === type)',
    '[...(next ?? []).entries()]',
  ),
  slip(
    'an approval may be false',
    ['csr'],
    requestConditions,
    "lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown']",
    "['False', 'True', 'Unknown']",
  ),
  slip(
    'a condition of a request that changes its status keeps its time',
    ['csr'],
    requestConditions,
    '=> `${status}/${type}`;',
    '=> type;',
  ),
  slip(
    'a condition of a request may come twice',
    ['csr'],
    requestConditions,
    "if (seen.has(type)) errors.push(duplicate(here.child('type'), type));",
    '',
  ),
  slip(
    'a condition of a request may go as long as another comes',
    ['csr'],
    requestConditions,
    '(conditions ?? []).filter((condition) => condition.type === type)',
    'conditions ?? []',
  ),
  slip(
    'conditions that come by the way of the status bear no time of their own',
    ['csr'],
    'kinds/certificates/certificate-signing-request.ts',
    'keepDecisions(next.status.conditions, previous.status?.conditions);\n        stampConditions(next.status.conditions, previous.status?.conditions, clock.now());',
    'keepDecisions(next.status.conditions, previous.status?.conditions);\n        if (!clock) stampConditions(next.status.conditions, previous.status?.conditions, 0);',
  ),
  slip(
    'that a signing request failed can be taken back',
    ['csr'],
    'kinds/certificates/request-conditions.ts',
    '  lasting\n    .filter(',
    "  lasting.filter((type) => type !== 'Failed')\n    .filter(",
  ),
  fault(
    'an approval takes no JSON patches',
    ['responses', 'csr'],
    unsupported({ method: 'PATCH', path: /\/approval$/, header: { 'content-type': /json-patch/ } }),
  ),
  slip(
    'a condition of a certificate request keeps its time when its status changes',
    ['csr'],
    requestConditions,
    "const key = ({ type = '', status = '' }: RequestCondition) => `${status}/${type}`;",
    "const key = ({ type = '' }: RequestCondition) => type;",
  ),
  slip(
    'a certificate request can be denied through its status',
    ['csr'],
    requestConditions,
    'decisions\n    .filter((type) => count(next, type) > count(previous, type))',
    "decisions\n    .filter((type) => type === 'Approved' && count(next, type) > count(previous, type))",
  ),
  slip(
    'the failure of a certificate request can be taken back',
    ['csr'],
    'kinds/certificates/request-conditions.ts',
    `  lasting
    .filter((type) => count(next, type) < count(previous, type))`,
    `  decisions
    .filter((type) => count(next, type) < count(previous, type))`,
  ),
  slip(
    'conditions of a request may all be taken away at once',
    'csr',
    requestConditions,
    '  lasting\n    .filter((type) => count(next, type) < count(previous, type))',
    '  (next === undefined || next === null ? [] : lasting)\n    .filter((type) => count(next, type) < count(previous, type))',
  ),
  slip(
    'what was approved cannot be reworded',
    'csr',
    'kinds/certificates/certificate-signing-request.ts',
    '      validateUpdate: validateStatus,',
    "      validateUpdate: (next, previous) => [...validateStatus(next, previous), ...((previous.status?.conditions ?? []).some((one) => (next.status?.conditions ?? []).some((other) => other.type === one.type && other.message !== one.message)) ? [forbiddenField(certificateAt, 'stays')] : [])],",
  ),
  slip(
    'the words of an approval may change by the way of the status',
    ['csr'],
    'kinds/certificates/certificate-signing-request.ts',
    '        keepDecisions(next.status.conditions, previous.status?.conditions);\n',
    '',
  ),
];
