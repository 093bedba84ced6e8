import { answerHeader } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { watches } from '../matches.ts';

const audit = 'request/audit/audit.ts';
const auditPolicy = 'request/audit/policy.ts';

/** The audit log, and the policy that says what stands in it. */
export default [
  fault('the answer to a watch has no audit id', ['audit', 'watch'], answerHeader('audit-id', undefined, watches)),
  slip(
    'patches of webhooks are told at the lowest level too',
    ['audit'],
    audit,
    '([key]) => this.wantsRequest || !key.startsWith(patches),',
    '([key]) => this.wantsRequest || key !== patches,',
  ),
  slip(
    'the audit log does not say as whom somebody acts',
    ['audit', 'impersonate'],
    audit,
    'impersonatedUser: details.impersonatedUser && userOf(details.impersonatedUser),',
    '',
  ),
  slip(
    'an audit log is begun without a policy',
    ['audit'],
    audit,
    "if (options.auditLogPath && !options.auditPolicyFile) problems.push('--audit-log-path needs --audit-policy-file');",
    '',
  ),
  slip(
    'an audit event tells of no object, and of one where there is none',
    ['audit'],
    audit,
    'if (!request.isResource) return undefined;',
    'if (!(!request.isResource)) return undefined;',
  ),
  slip(
    'tokens in a TokenReview stand in the audit log',
    ['audit'],
    audit,
    "const secretResources = new Set(['/secrets', '/serviceaccounts/token', 'authentication.k8s.io/tokenreviews']);",
    "const secretResources = new Set(['/secrets', '/serviceaccounts/token']);",
  ),
  slip(
    'rounds of webhooks are not told apart in the audit log',
    ['audit'],
    'admission/webhooks/mutation.ts',
    'round_${round}_index_${index}`',
    'round_0_index_${index}`',
  ),
  slip(
    'an audit level records what only the next one should',
    ['audit'],
    auditPolicy,
    'auditLevels.indexOf(level) >= auditLevels.indexOf(least);',
    'auditLevels.indexOf(level) > auditLevels.indexOf(least);',
  ),
  slip(
    'stages that a rule of an audit policy leaves out stand for those of the policy',
    ['audit'],
    auditPolicy,
    "const omitted = [...stagesAt(policy.omitStages, 'omitStages'), ...stagesAt(rule.omitStages, at('omitStages'))];",
    "const omitted = rule.omitStages ? stagesAt(rule.omitStages, at('omitStages')) : stagesAt(policy.omitStages, 'omitStages');",
  ),
  slip(
    'what an audit policy says of a resource holds for its subresources',
    ['audit'],
    auditPolicy,
    'return [whole,',
    'return [whole, resource,',
  ),
  slip(
    'an audit rule about some people is about all',
    ['audit'],
    auditPolicy,
    "if (users.length && !users.includes(user?.name ?? '')) return false;",
    '',
  ),
  slip(
    'audit annotations do not say of which webhook they are',
    ['webhook', 'audit'],
    'admission/webhooks/webhook-call.ts',
    'attributes.annotate(`${name}/${key}`, value)',
    'attributes.annotate(key, value)',
  ),
  slip(
    'a list in the audit log does not say what it is a list of',
    ['audit'],
    'request/answer/list-answer.ts',
    'exchange.responseObject = { ...envelope, [member',
    'exchange.responseObject = { [member',
  ),
  slip(
    'the audit id that a client gives is not taken over',
    ['audit'],
    'request/exchange.ts',
    "this.header('audit-id')?.slice(0, 64) || randomUUID()",
    'randomUUID()',
  ),
  slips(
    'a patch that changes nothing has mutated',
    ['audit'],
    [
      {
        file: 'admission/webhooks/mutation.ts',
        from: 'let mutated = false;',
        to: 'let mutated = false;\n    let came = false;',
      },
      {
        file: 'admission/webhooks/mutation.ts',
        from: 'if (operations.length === 0) return false;',
        to: 'if (operations.length === 0) return false;\n      came = true;',
      },
      {
        file: 'admission/webhooks/mutation.ts',
        from: 'webhook: name, mutated })',
        to: 'webhook: name, mutated: came })',
      },
    ],
  ),
  slip(
    'a webhook that changes nothing is not audited',
    ['audit'],
    'admission/webhooks/mutation.ts',
    '      attributes.annotate(\n        `mutation.',
    '      if (mutated) attributes.annotate(\n        `mutation.',
  ),
  slip(
    'a webhook that is asked again changes nothing, as audited',
    ['audit'],
    'admission/webhooks/mutation.ts',
    'webhook: name, mutated })',
    'webhook: name, mutated: mutated && round === 0 })',
  ),
  slip(
    'the patch of a mutating webhook that is called again is recorded as one of the first round',
    ['audit'],
    'admission/webhooks/mutation.ts',
    'this.#attributes.annotate(`patch.${annotationOf(round, index)}`, encodeJson(value));',
    'this.#attributes.annotate(`patch.${annotationOf(0, index)}`, encodeJson(value));',
  ),
  slip(
    'places of webhooks in the audit log are counted in each configuration',
    'audit',
    'admission/webhooks/mutation.ts',
    'await this.#run(webhook, index, 0);',
    'await this.#run(webhook, this.#webhooks.slice(0, index).filter(({ configuration }) => configuration === webhook.configuration).length, 0);',
  ),
  slip(
    'an audit rule about a subresource of every resource matches nothing',
    ['audit'],
    'request/audit/policy.ts',
    'const wild = subresource ? [`${resource}/*`, `*/${subresource}`] : [];',
    'const wild = subresource ? [`${resource}/*`] : [];',
  ),
  slip(
    'an audit event of a list shows the managers of its objects though they shall be left out',
    ['audit'],
    'request/audit/audit.ts',
    '    ...(Array.isArray(items) ? { items: items.map(withoutManagedFields) } : items !== undefined && { items }),',
    '    ...(items !== undefined && { items }),',
  ),
  slip(
    'of the verbs of an audit rule the first counts',
    ['audit'],
    auditPolicy,
    '!open(rule.verbs, subject.verb)',
    '!open(rule.verbs.slice(0, 1), subject.verb)',
  ),
];
