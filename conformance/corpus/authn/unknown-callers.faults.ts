import type { ProxiedAnswer } from '../../sabotage/sabotage.ts';
import { answerStatus, replaceIn, requestHeader, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { watches } from '../matches.ts';
import { wherever } from '../meddling.ts';

const authentication = 'authn/authentication.ts';

const plainRefusal = sabotage('refuses in plain text', () => ({
  answer: (answer): ProxiedAnswer =>
    answer.status === 401
      ? { ...answer, headers: { 'content-type': 'text/plain' }, body: Buffer.from('Unauthorized') }
      : answer,
}));

/** Callers without a credential or with one that nobody knows: anonymous, or refused. */
export default [
  fault(
    '401 for reads, but 403 for writes',
    'responses',
    answerStatus(403, { method: ['POST', 'PUT', 'PATCH', 'DELETE'], instead: 401 }),
  ),
  fault(
    'anonymous callers are authenticated',
    'authn',
    replaceIn('status.user.username', { path: /\/tokenreviews$/, with: 'system:anonymous' }),
  ),
  fault('who is not known is told so in plain text', ['errors', 'responses', 'authn'], plainRefusal),
  fault(
    'a token that nobody knows is 403 where something is patched',
    ['responses', 'authn'],
    answerStatus(403, { method: 'PATCH', instead: 401 }),
  ),
  fault(
    'a token that nobody knows is 403 where something is watched',
    ['responses', 'authn'],
    answerStatus(403, { ...watches, instead: 401 }),
  ),
  fault(
    'who may not is told that nobody knows him',
    ['errors', 'authn', 'responses'],
    wherever((body) => (body?.reason === 'Forbidden' ? { ...body, reason: 'Unauthorized' } : body)),
  ),
  slip('a caller whose token nobody knows is anonymous', ['authn'], authentication, '        refused = true;', ''),
  slip(
    'the word Bearer counts in these letters alone',
    ['authn'],
    authentication,
    "if (scheme?.toLowerCase() !== 'bearer' ||",
    "if (scheme !== 'Bearer' ||",
  ),
  slip(
    'a credential that is refused ends the search for another',
    ['authn'],
    authentication,
    '      } catch {\n        refused = true;',
    '      } catch {\n        if (authenticators[at]?.name !== "bearer token") throw unauthorized();\n        refused = true;',
  ),
  slip(
    'a token that looks like none makes an anonymous caller',
    ['authn'],
    authentication,
    'if (refused || !anonymousAllowed) throw unauthorized();',
    "if ((refused && credentials.bearerToken?.includes('.')) || !anonymousAllowed) throw unauthorized();",
  ),
  slip(
    'who is anonymous is in no group',
    ['authn'],
    'base/user.ts',
    'groups: [unauthenticatedGroup], extra: {} }',
    'groups: [], extra: {} }',
  ),
  fault(
    'what everybody may read is open to any token',
    ['health', 'authn'],
    requestHeader('authorization', undefined, { path: /^\/(version|healthz|livez|readyz)$/ }),
  ),
  slip(
    'who comes with a token that nobody knows is anonymous',
    ['authn'],
    'authn/authentication.ts',
    'if (refused || !anonymousAllowed) throw unauthorized();',
    'if (!anonymousAllowed) throw unauthorized();',
  ),
  slip(
    'health is open to callers without credentials though nobody may be anonymous',
    ['authn', 'health'],
    'request/access.ts',
    '    beginAudit(exchange, services, undefined);\n    throw error;',
    "    beginAudit(exchange, services, undefined);\n    if (!token && /^.(health|live|ready)z/.test(exchange.info.path)) {\n      exchange.user = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} } as never;\n      return undefined as never;\n    }\n    throw error;",
  ),
];
