import { slip } from '../fault.ts';

/** Configurations of webhooks: what they may say, their order, and their changes. */
export default [
  slip(
    'a configuration of webhooks that changes is heeded as it was',
    ['webhook'],
    'admission/webhooks/configuration-source.ts',
    '    this.#compiled.delete(key);\n    if (configuration)',
    '    if (!configuration) this.#compiled.delete(key);\n    if (configuration)',
  ),
  slip(
    'webhooks are asked in the order in which they came',
    ['webhook'],
    'admission/webhooks/configuration-source.ts',
    'const keys = [...this.#compiled.keys()].sort();',
    'const keys = [...this.#compiled.keys()];',
  ),
  slip(
    'a webhook may take five minutes',
    ['webhook'],
    'kinds/admissionregistration/webhook-rules.ts',
    'const longestTimeout = 30;',
    'const longestTimeout = 300;',
  ),
  slip(
    'a webhook may not say on what it is called, and has to leave it out',
    ['webhook'],
    'kinds/admissionregistration/webhook-rules.ts',
    'list?.length',
    '!(list?.length)',
  ),
  slip(
    'an update may make any webhook of a validating one',
    ['webhook'],
    'kinds/admissionregistration/validating-webhook-configuration.ts',
    'validate: validateWebhooks,',
    'validateCreate: validateWebhooks,',
  ),
  slip(
    'the address of a webhook may have a query',
    ['webhook'],
    'kinds/admissionregistration/client-config-rules.ts',
    '...(query ? [invalidValue(at, query,',
    "...(query === ' ' ? [invalidValue(at, query,",
  ),
  slip(
    'defaults of validating webhooks are filled in at create alone',
    ['webhook'],
    'kinds/admissionregistration/validating-webhook-configuration.ts',
    'defaultWebhook(webhook);',
    'if (!(arguments[0] as any).metadata.uid) defaultWebhook(webhook);',
  ),
  slip(
    'webhooks of a configuration that is gone are still asked',
    ['webhook'],
    'admission/webhooks/configuration-source.ts',
    'else this.#configurations.delete(key);',
    'else return;',
  ),
  slip(
    'a webhook that gets another authority is called as it was first',
    ['webhook'],
    'admission/webhooks/webhook-client.ts',
    'JSON.stringify(clientConfig ?? {});',
    'clientConfig?.url ?? JSON.stringify(clientConfig ?? {});',
  ),
  slip(
    'a rule of a webhook may name other API versions beside a star',
    ['component'],
    'kinds/admissionregistration/webhook-rules.ts',
    "    ...alone(rule.apiVersions, at.child('apiVersions'), 'API versions'),\n",
    '',
  ),
  slip(
    'the path at which a service answers a webhook need not begin with a slash',
    ['component'],
    'kinds/admissionregistration/client-config-rules.ts',
    "path.startsWith('/') ? [] : [invalidValue(at, path, \"must start with a '/'\")]",
    'path ? [] : [invalidValue(at, path, "must start with a \'/\'")]',
  ),
  slip(
    'other webhooks of a mutating configuration are no new generation',
    ['component'],
    'kinds/admissionregistration/mutating-webhook-configuration.ts',
    'generationRises: (next, previous) => !sameValue(next.webhooks, previous.webhooks),',
    'generationRises: (next, previous) => next.webhooks?.length !== previous.webhooks?.length,',
  ),
];
