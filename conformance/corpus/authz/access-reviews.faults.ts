import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const authzReviews = 'authz/reviews.ts';

const reviews = { path: /\/(local)?subjectaccessreviews$/ };

/** What reviews of access look at, and what they tell: SubjectAccessReview and its like. */
export default [
  fault(
    'a review allows every path',
    ['names'],
    changeAnswer('', (body) => edited(body, ['status', 'allowed'], () => true), {
      method: 'POST',
      path: /accessreviews$/,
      body: /nonResourceAttributes/,
    }),
  ),
  fault(
    'a review asks for the whole cluster',
    ['names', 'role'],
    changeRequest('', (body) => edited(body, ['spec', 'resourceAttributes', 'namespace'], () => undefined), reviews),
  ),
  fault(
    'a review forgets the groups',
    ['names', 'role', 'authn'],
    changeRequest('', (body) => edited(body, ['spec', 'groups'], () => undefined), reviews),
  ),
  slip(
    'a review does not look at the subresource',
    ['names', 'service'],
    authzReviews,
    'subresource: textOf(asked.subresource),',
    "subresource: '',",
  ),
  slip(
    'a review does not look at the name',
    ['names', 'service'],
    authzReviews,
    '    name: textOf(asked.name),\n',
    "    name: '',\n",
  ),
  slip(
    'a review of rights knows the user alone',
    ['names'],
    authzReviews,
    'groups: textsOf(spec.groups), extra };',
    'groups: textsOf(spec.user) ? [] : textsOf(spec.groups), extra };',
  ),
  slip(
    'a review may ask about an object and a path at once',
    ['authn', 'verbs'],
    authzReviews,
    'const both = spec.resourceAttributes && spec.nonResourceAttributes;',
    'const both = false;',
  ),
  slip(
    'a review within a namespace may leave open in which',
    ['authn', 'verbs'],
    authzReviews,
    'if (spec.resourceAttributes && asked !== namespace)',
    'if (spec.resourceAttributes && asked && asked !== namespace)',
  ),
  slip(
    'who asks for all his rights is not told of paths',
    ['authn', 'role'],
    authzReviews,
    'nonResourceRules: rules.filter((rule) => rule.nonResourceURLs?.length).map(pathRule),',
    'nonResourceRules: [],',
  ),
  slip(
    'a review forgets the extra attributes of whom it asks about',
    ['authn', 'impersonate'],
    authzReviews,
    'for (const [key, values] of Object.entries(fieldsOf(spec.extra))) extra[key] = textsOf(values);',
    '',
  ),
  slip(
    'whoever asks for all rights is not told of which objects',
    ['role', 'authn'],
    authzReviews,
    '  ...(resourceNames?.length && { resourceNames }),\n',
    '',
  ),
  slip(
    'a review in one namespace may be about another',
    ['role', 'authn', 'namespace'],
    authzReviews,
    'if (spec.resourceAttributes && asked !== namespace)',
    "if (spec.resourceAttributes && asked === '')",
  ),
  slip(
    'the rules that somebody holds leave out cluster roles bound in a namespace',
    ['role', 'kinds', 'authn'],
    'authz/rbac.ts',
    'if (role) for (const { rule } of role.rules) rules.push(rule);',
    "if (role) for (const { rule } of scope && reach.binding.roleRef.kind === 'ClusterRole' ? [] : role.rules) rules.push(rule);",
  ),
  slip(
    'the rules that somebody holds are told without the names that limit them',
    ['role'],
    'authz/reviews.ts',
    '...(resourceNames?.length && { resourceNames }),',
    '...(resourceNames === null && { resourceNames }),',
  ),
  slip(
    'a review of groups alone is refused',
    ['names'],
    'authz/reviews.ts',
    'return textOf(spec.user) || textsOf(spec.groups).length',
    'return textOf(spec.user)',
  ),
  slip(
    'a review within a namespace knows no groups',
    ['names'],
    'authz/reviews.ts',
    "    const status = await decide(authorizer, subjectOf(spec), spec);\n    return answer('LocalSubjectAccessReview'",
    "    const status = await decide(authorizer, { ...subjectOf(spec), groups: [] }, spec);\n    return answer('LocalSubjectAccessReview'",
  ),
  slip(
    'a review of one’s own rights looks at no subresource',
    ['names'],
    'authz/reviews.ts',
    'await decide(authorizer, context.user, spec));',
    "await decide(authorizer, context.user, { ...spec, resourceAttributes: spec.resourceAttributes && { ...fieldsOf(spec.resourceAttributes), subresource: '' } }));",
  ),
  slip(
    'a review of own rights tells of those of who acts as another',
    ['impersonate', 'names', 'role', 'authn'],
    'request/dispatch.ts',
    'user: exchange.user,\n    userAgent',
    "user: resource.plural === 'selfsubjectaccessreviews' ? (exchange.impersonator ?? exchange.user) : exchange.user,\n    userAgent",
  ),
  slip(
    'a review of rules leaves out what is granted cluster-wide',
    ['authn', 'role', 'names', 'impersonate'],
    'authz/rbac.ts',
    "namespace ? ['', namespace] : ['']) {\n      for (const subject of subjectsOf(user)) {\n        for (const reach",
    "namespace ? [namespace] : ['']) {\n      for (const subject of subjectsOf(user)) {\n        for (const reach",
  ),
  slip(
    'a review of a path asks whether it may be read',
    ['role', 'authn', 'errors', 'names'],
    'authz/reviews.ts',
    "return { type: 'path', verb: textOf(path.verb), path: textOf(path.path) };",
    "return { type: 'path', verb: 'get', path: textOf(path.path) };",
  ),
  slip(
    'an authorization webhook of v1beta1 is told groups under the name of v1',
    ['authn', 'names'],
    'authz/webhook.ts',
    "const groups = version === 'v1' ? { groups: user.groups } : { group: user.groups };",
    'const groups = { groups: user.groups };',
  ),
  slip('a review of rights may have a name', ['names'], 'authz/reviews.ts', 'return kept || named ?', 'return named ?'),
  slip(
    'a review of all rights needs no namespace',
    ['names'],
    'authz/reviews.ts',
    "if (!namespace) throw badRequest('no namespace on request');",
    '',
  ),
  slip(
    'a review gives an empty reason where there is none',
    ['names'],
    'authz/reviews.ts',
    '...(reason && { reason }),',
    'reason,',
  ),
  slip(
    'a review of a path looks past a slash at its end',
    ['names'],
    authzReviews,
    'path: textOf(path.path) };',
    "path: textOf(path.path).replace(/\\/$/, '') };",
  ),
];
