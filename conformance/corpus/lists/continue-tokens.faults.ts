import { answerStatus, removeIn } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { laterPages, lists, topCollections } from '../matches.ts';
import { misread } from '../meddling.ts';

const listing = 'registry/list.ts';

/** Which pages have a continue token, what it leads to, and what becomes of one that has expired. */
export default [
  fault(
    'a list over all namespaces stops at its limit without a token',
    'lists',
    removeIn('metadata.continue', { ...lists, path: topCollections }),
  ),
  fault('an expired token goes on silently', 'lists', answerStatus(200, { ...laterPages, instead: 410 })),
  fault(
    'a token without a limit begins anew',
    ['lists', 'params'],
    misread({ method: 'GET', query: { continue: true, limit: false } }, (query) => query.delete('continue')),
  ),
  fault('a limit of one gives no token', ['lists', 'params'], removeIn('metadata.continue', { query: { limit: '1' } })),
  slip(
    'the token that comes with an expired one leads back to the beginning',
    ['lists'],
    listing,
    'services.tokens.encode({ after: position.after });',
    "services.tokens.encode({ after: '' });",
  ),
  slip(
    'an expired token gives no fresh one',
    ['lists'],
    listing,
    'const fresh = services.tokens.encode({ after: position.after });',
    'const fresh = undefined;',
  ),
  slip(
    'a last page that is full gives a token',
    ['lists'],
    listing,
    '...(remaining > 0 && { remaining,',
    '...((remaining > 0 || (limit > 0 && items.length === limit)) && { remaining,',
  ),
  slip(
    'protobuf of a list forgets its token',
    ['lists', 'content'],
    'request/answer/list-answer.ts',
    '  return encoded(exchange, page.items, { envelope, shown });\n}\n\nconst envelopeOf',
    "  const { continue: _token, ...less } = envelope.metadata as { continue?: string };\n  return encoded(exchange, page.items, { envelope: mediaType === 'application/json' ? envelope : { ...envelope, metadata: less }, shown });\n}\n\nconst envelopeOf",
  ),
  slip(
    'a token that has expired goes on with what is there now',
    ['lists', 'rv', 'collections'],
    'registry/list.ts',
    'const fresh = services.tokens.encode({ after: position.after });',
    'const fresh = services.tokens.encode({ after: position.after });\n    if (fresh) return list(call, { ...asked, token: fresh });',
  ),
  slip(
    'a page that is full has a continue token even when nothing comes after it',
    ['lists'],
    'registry/list.ts',
    'return { items, revision: shown, ...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) }) };',
    `const full = limit > 0 && items.length === limit;
    return {
      items,
      revision: shown,
      ...(remaining > 0 && { remaining }),
      ...(full && { token: tokenAfter(call, items, shown) }),
    };`,
  ),
  slip(
    'the continue token of a list with a selector keeps no version, so that later pages show what changed meanwhile',
    ['lists'],
    'registry/list.ts',
    'token: tokenAfter(call, found, revision)',
    "token: call.services.tokens.encode({ after: (found.at(-1)?.key ?? '').slice(call.resource.prefix.length) })",
  ),
  slip(
    'a resourceVersionMatch passes beside a token',
    ['rv', 'lists'],
    'registry/list-options.ts',
    "  if (parameters.continue) refuse('resourceVersionMatch is forbidden when continue is provided');\n",
    '',
  ),
  slip(
    'the items of a page are in another order than that in which its token goes on',
    ['lists'],
    listing,
    'const { items, revision: shown, remaining } = await services.store.list(prefix, { ...at, limit });',
    "const { items: found, revision: shown, remaining } = await services.store.list(prefix, { ...at, limit });\n    const letters = ({ key }: { key: string }) => key.replaceAll('-', '');\n    const items = [...found].sort((one, other) => (letters(one) < letters(other) ? -1 : 1));",
  ),
  slips(
    'a version beside a token passes when it is that of the token',
    ['lists'],
    [
      {
        file: 'registry/list-options.ts',
        from: 'if (parameters.continue && version > 0) {',
        to: 'if (parameters.continue && version < 0) {',
      },
      {
        file: 'registry/list.ts',
        from: 'const exact = position?.revision ?? exactVersion(request);',
        to: "if (position && request.version > 0 && request.version !== position.revision) throw badRequest('no version beside a token');\n  const exact = position?.revision ?? exactVersion(request);",
      },
    ],
  ),
  slip(
    'the token of a page that is not to be older than a version holds none',
    ['lists'],
    'registry/list.ts',
    'token: tokenAfter(call, items, shown) }) };\n  }\n  const single',
    'token: tokenAfter(call, items, at.any && revision === undefined ? undefined : shown) }) };\n  }\n  const single',
  ),
  slip(
    'a token that nobody has given begins the list anew',
    ['params'],
    'registry/list.ts',
    'if (error instanceof InvalidTokenError) throw badRequest(`continue key is not valid: ${error.message}`);',
    "if (error instanceof InvalidTokenError) return { after: '' };",
  ),
  slip(
    'a page of objects that are read in another version than the stored one has no token',
    ['lists', 'kinds'],
    'registry/list.ts',
    'return { ...page, items: await Promise.all',
    'return { revision: page.revision, items: await Promise.all',
  ),
];
