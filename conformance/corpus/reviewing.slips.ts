import { type Fault, slip } from './fault.ts';

const rule = 'admission/webhooks/rule.ts';
const match = 'admission/webhooks/match.ts';
const review = 'admission/webhooks/review.ts';
const mutation = 'admission/webhooks/mutation.ts';
const compiled = 'admission/webhooks/compiled-webhook.ts';

export const reviewingSlips: readonly Fault[] = [
  slip(
    'a refusal by a webhook has always one code',
    ['webhook'],
    'admission/webhooks/webhook-errors.ts',
    'code < smallestRefusal ? smallestRefusal : Math.min(code, largestCode),',
    'smallestRefusal,',
  ),
  slip(
    'the reason of a refusal by a webhook is lost',
    ['webhook'],
    'admission/webhooks/webhook-errors.ts',
    '    reason || undefined,\n    details,',
    '    undefined,\n    details,',
  ),
  slip(
    'all subresources in a rule of a webhook are none',
    ['webhook'],
    rule,
    "(wantedSubresource === '*' || wantedSubresource === subresource)",
    "(wantedSubresource === subresource || (wantedSubresource === '*' && subresource === ''))",
  ),
  slip(
    'a subresource of all in a rule of a webhook means nothing',
    ['webhook'],
    rule,
    "(wantedResource === '*' || wantedResource === resource)",
    "((wantedResource === '*' && (slash < 0 || wantedSubresource === '*')) || wantedResource === resource)",
  ),
  slip(
    'an operation of any kind in a rule of a webhook leaves deletes out',
    ['webhook'],
    rule,
    'operation(subject.operation) &&',
    "operation(subject.operation) && !((rule.operations ?? []).includes('*') && subject.operation === 'DELETE') &&",
  ),
  slip(
    'a converted review forgets what was asked for',
    ['webhook'],
    review,
    'requestResource: resource,',
    'requestResource: view.resource,',
  ),
  slip(
    'a converted review forgets the kind that was sent',
    ['webhook'],
    review,
    'requestKind: kind,',
    'requestKind: view.kind,',
  ),
  slip(
    'a review does not name the subresource',
    ['webhook'],
    review,
    '...(subresource && { subResource: subresource }),',
    '',
  ),
  slip(
    'a review does not name the subresource that was asked for',
    ['webhook'],
    review,
    '...(subresource && { requestSubResource: subresource }),',
    '',
  ),
  slip(
    'the options of an update are those of a create',
    ['webhook'],
    'registry/admit.ts',
    "  return { kind, apiVersion: 'meta.k8s.io/v1', ...fields } as unknown as KubeObject;",
    "  return { kind: kind === 'UpdateOptions' ? 'CreateOptions' : kind, apiVersion: 'meta.k8s.io/v1', ...fields } as unknown as KubeObject;",
  ),
  slip(
    'options in a review do not name the manager',
    ['webhook'],
    'registry/admit.ts',
    '    ...(options.fieldManager && { fieldManager: options.fieldManager }),\n',
    '',
  ),
  slip(
    'an object selector does not keep deletes from a webhook',
    ['webhook'],
    match,
    'return fits(object) || fits(oldObject);',
    'return !object || fits(object) || fits(oldObject);',
  ),
  slip(
    'a namespace is not selected by its own labels',
    ['webhook'],
    match,
    "resource.group === '' && resource.resource === 'namespaces' && subresource === '' && object;",
    'false;',
  ),
  slip(
    'the warnings of a webhook that refuses are lost',
    ['webhook'],
    mutation,
    'for (const warning of answer.warnings) attributes.warn(warning);\n      if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);',
    'if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);\n      for (const warning of answer.warnings) attributes.warn(warning);',
  ),
  slip(
    'each mutating webhook sees the object as it was sent',
    ['webhook'],
    mutation,
    'const object = attributes.object && (await view.show(attributes.object));',
    'const object = attributes.object && ((this.#left ??= cloneJson(attributes.object)), this.#changed ? cloneJson(this.#left) : await view.show(attributes.object));',
  ),
  slip(
    'audit annotations do not say of which webhook they are',
    ['webhook', 'audit'],
    'admission/webhooks/webhook-call.ts',
    'attributes.annotate(`${name}/${key}`, value)',
    'attributes.annotate(key, value)',
  ),
  slip(
    'a webhook is asked in the newest review that is known, not in the first that it names',
    ['webhook'],
    compiled,
    'webhook.admissionReviewVersions?.find((each) => knownVersions.includes(each)) as',
    'knownVersions.find((each) => webhook.admissionReviewVersions?.includes(each)) as',
  ),
  slip(
    'a webhook without side effects on dry runs is not asked in them',
    ['webhook', 'dryrun'],
    compiled,
    "webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun'",
    "webhook.sideEffects === 'None'",
  ),
  slip(
    'who ignores failures of a webhook ignores its refusals',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    "      return { outcome: 'refused', error: error.refusal };",
    "      if (webhook.ignoresFailure) return { outcome: 'passed', value: undefined as T };\n      return { outcome: 'refused', error: error.refusal };",
  ),
  slip(
    'matchPolicy is Exact unless it is said',
    ['webhook'],
    compiled,
    "    equivalent: webhook.matchPolicy !== 'Exact',",
    "    equivalent: webhook.matchPolicy === 'Equivalent' && webhook.reinvocationPolicy !== undefined,",
  ),
  slip(
    'only the first rule of a webhook counts',
    ['webhook'],
    compiled,
    'rules: (webhook.rules ?? []).map(compileRule),',
    'rules: (webhook.rules ?? []).slice(0, 1).map(compileRule),',
  ),
  slip(
    'a validating webhook that refuses is outvoted by one that allows',
    ['webhook'],
    'admission/webhooks/validation.ts',
    "  for (const { result } of judged) if (result.outcome === 'refused') throw result.error;",
    "  for (const { result } of judged.slice(-1)) if (result.outcome === 'refused') throw result.error;",
  ),
];
