import { slip } from '../fault.ts';

const webhookErrors = 'admission/webhooks/webhook-errors.ts';
const answer = 'admission/webhooks/answer.ts';

/** What an answer of a webhook may be, and how a refusal reaches the caller. */
export default [
  slip(
    'the message of a refusal by a webhook is its reason',
    ['webhook'],
    webhookErrors,
    'const why = message || reason;',
    'const why = reason || message;',
  ),
  slip(
    'who is refused by a webhook gets 403',
    ['webhook', 'errors'],
    webhookErrors,
    'code < smallestRefusal ? smallestRefusal : Math.min(code, largestCode),',
    '403,',
  ),
  slip(
    'a refusal by a webhook has always one code',
    ['webhook'],
    webhookErrors,
    'code < smallestRefusal ? smallestRefusal : Math.min(code, largestCode),',
    'smallestRefusal,',
  ),
  slip(
    'the reason of a refusal by a webhook is lost',
    ['webhook'],
    webhookErrors,
    '    reason || undefined,\n    details,',
    '    undefined,\n    details,',
  ),
  slip(
    'a webhook that only judges may answer a patch',
    ['webhook'],
    answer,
    "if (!mutating && patch.length > 0) throw invalidResponse('validating webhook may not return response.patch');\n  if (!mutating && patchType !== undefined)",
    "if (!mutating && patchType === '')",
  ),
  slip(
    'the uid of a webhook answer is not compared',
    'webhook',
    answer,
    "if (asked.version === 'v1' && uid !== asked.uid) {",
    'if (false) {',
  ),
  slip(
    'an answer of a webhook that says nothing allows',
    'webhook',
    answer,
    "allowed: booleanIn(response, 'allowed') ?? false,",
    "allowed: booleanIn(response, 'allowed') ?? true,",
  ),
  slip('a patch without its type passes', 'webhook', answer, 'if (patch.length > 0 && !patchType)', 'if (false)'),
  slip(
    'the causes of a refusal by a webhook are lost',
    ['webhook'],
    answer,
    '...(Array.isArray(causes) && {',
    '...(Array.isArray(causes) && causes.length > 1 && {',
  ),
  slip(
    'the answer of a webhook may be of any kind',
    ['webhook'],
    answer,
    "const kindFits = kind === 'AdmissionReview' || (lax && kind === '');",
    "const kindFits = kind !== '' || lax;",
  ),
  slip(
    'who ignores failures of a webhook ignores its refusals',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    "      return { outcome: 'refused', error: error.refusal };",
    "      if (webhook.ignoresFailure) return { outcome: 'passed', value: undefined as T };\n      return { outcome: 'refused', error: error.refusal };",
  ),
  slip(
    'a validating webhook that refuses is outvoted by one that allows',
    ['webhook'],
    'admission/webhooks/validation.ts',
    "  for (const { result } of judged) if (result.outcome === 'refused') throw result.error;",
    "  for (const { result } of judged.slice(-1)) if (result.outcome === 'refused') throw result.error;",
  ),
  slip(
    'a webhook whose failures are ignored refuses in vain',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    "return { outcome: 'refused', error: error.refusal };",
    "return webhook.ignoresFailure\n        ? { outcome: 'passed', value: undefined as T }\n        : { outcome: 'refused', error: error.refusal };",
  ),
  slip(
    'a webhook that answers with another uid refuses though its failures are ignored',
    'webhook',
    answer,
    'throw invalidResponse(`expected response.uid',
    'throw new Error(`expected response.uid',
  ),
  slip(
    'a webhook may say in a text that something is allowed',
    'webhook',
    answer,
    "if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'a boolean');\n  return value;",
    "if (value === 'true') return true;\n  if (value !== undefined && typeof value !== 'boolean') throw wrong(name, 'a boolean');\n  return value;",
  ),
  slip(
    'the causes of a refusing webhook lose their reasons',
    ['webhook'],
    'admission/webhooks/answer.ts',
    "      causes: causes.filter(isJsonObject).map((cause) => textsNamed(cause, ['reason', 'message', 'field'])),",
    "      causes: causes.filter(isJsonObject).map((cause) => textsNamed(cause, ['message', 'field'])),",
  ),
];
