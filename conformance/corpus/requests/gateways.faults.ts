import { changeAnswer, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { refusal } from '../meddling.ts';

const largestBody = 1024 * 1024;
const longestQuery = 8 * 1024;
const longestHeader = 8 * 1024;

/** Requests that are long, or that leave to the server what it knows, where something stands in front of it. */
export default [
  fault(
    'a body may have one megabyte at most',
    ['verbs', 'component'],
    sabotage('refuses long bodies', () => ({
      request: (request) => (request.body.length > largestBody ? refusal(413, 'RequestEntityTooLarge') : request),
    })),
  ),
  fault(
    'a query may have eight kilobytes at most',
    ['params'],
    sabotage('refuses long queries', () => ({
      request: (request) => (request.rawQuery.length > longestQuery ? refusal(414, 'BadRequest') : request),
    })),
  ),
  fault(
    'what is made is answered without the namespace that only its path names',
    ['paths', 'meta'],
    changeAnswer(
      '',
      (body, { body: sent }) => {
        if (/"namespace"/.test(sent.toString('utf8')) || body.metadata?.namespace === undefined) return body;
        const { namespace: _namespace, ...metadata } = body.metadata;
        return { ...body, metadata };
      },
      { method: 'POST', path: /\/namespaces\/[^/]+\/[a-z]+$/ },
    ),
  ),
  slip(
    'who watches over a WebSocket acts as nobody else',
    ['impersonate'],
    'request/access.ts',
    '  exchange.noticed.impersonates ? actForAnother',
    '  exchange.noticed.impersonates && !exchange.upgrade ? actForAnother',
  ),
  slip(
    'the right to act with a uid is one of the core group',
    ['impersonate'],
    'request/impersonate.ts',
    "yield action(authenticationGroup, 'uids', asked.uid);",
    "yield action('', 'uids', asked.uid);",
  ),
  slip(
    'who does not hold what a role grants cannot take its finalizers away',
    ['role'],
    'authz/escalation.ts',
    '    managedFields: _fields,\n',
    '',
  ),
  fault(
    'headers with an underscore in their name are lost',
    ['impersonate'],
    sabotage('drops headers', () => ({
      request: (request) => {
        const kept = Object.entries(request.headers).filter(([name]) => !name.includes('_'));
        return { ...request, headers: Object.fromEntries(kept) };
      },
    })),
  ),
  fault(
    'a header may have eight kilobytes at most',
    ['authn', 'impersonate'],
    sabotage('refuses long headers', () => ({
      request: (request) =>
        Object.values(request.headers).some((value) => String(value).length > longestHeader)
          ? refusal(431, 'BadRequest')
          : request,
    })),
  ),
];
