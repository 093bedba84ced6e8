import { slip, slips } from '../fault.ts';

const compiledWebhook = 'admission/webhooks/compiled-webhook.ts';

/** How a webhook is called: versions of reviews, timeouts, failures. */
export default [
  slip(
    'of the webhooks of a configuration the first is called',
    ['webhook'],
    compiledWebhook,
    'return webhooks.map((webhook) => ({',
    'return webhooks.slice(0, 1).map((webhook) => ({',
  ),
  slip(
    'a webhook that fails is passed over, whatever its policy',
    'webhook',
    compiledWebhook,
    "ignoresFailure: webhook.failurePolicy === 'Ignore',",
    'ignoresFailure: true,',
  ),
  slip(
    'a webhook may take ten seconds, whatever it was given',
    'webhook',
    compiledWebhook,
    'timeoutMs: (webhook.timeoutSeconds ?? defaultTimeout) * 1000,',
    'timeoutMs: defaultTimeout * 1000,',
  ),
  slip(
    'a webhook is asked in the newest review that is known, not in the first that it names',
    ['webhook'],
    compiledWebhook,
    'webhook.admissionReviewVersions?.find((each) => knownVersions.includes(each)) as',
    'knownVersions.find((each) => webhook.admissionReviewVersions?.includes(each)) as',
  ),
  slip(
    'a webhook is not told how long it may take',
    ['webhook'],
    'admission/webhooks/webhook-client.ts',
    'const url = `${target.text}?timeout=${timeoutMs / 1000}s`;',
    'const url = target.text;',
  ),
  slip(
    'a webhook that takes too long has allowed it',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    "return webhook.ignoresFailure ? { outcome: 'ignored', error } :",
    "return webhook.ignoresFailure || error.message.includes('deadline') ? { outcome: 'ignored', error } :",
  ),
  slip(
    'who ignores failures of a webhook does not ignore that it is late',
    ['webhook'],
    'admission/webhooks/webhook-call.ts',
    'return webhook.ignoresFailure ? {',
    'return webhook.ignoresFailure && !/time|deadline/i.test(error.message) ? {',
  ),
  slips(
    'an apply that changes something is told to no webhook',
    ['webhook', 'admission'],
    [
      {
        file: 'registry/steps/admit.ts',
        from: '  const asked = document ? document.show(shown) : shown;\n',
        to: '  if (draft.managed && live) return;\n  const asked = document ? document.show(shown) : shown;\n',
      },
      {
        file: 'registry/steps/admit.ts',
        from: '  const { call, next, document, passes } = draft;\n',
        to: '  const { call, next, document, passes } = draft;\n  if (draft.managed && draft.live) return;\n',
      },
    ],
  ),
  slip(
    'a webhook need not show a certificate of the authority that is named for it',
    ['webhook'],
    'http-client/http-call.ts',
    'rejectUnauthorized: !trust.insecureSkipVerify,',
    'rejectUnauthorized: false,',
  ),
  slip(
    'validating webhooks are called one after another',
    'webhook',
    'admission/webhooks/validation.ts',
    'const judged = await Promise.all(invocations.map((invocation) => call(invocation, attributes, requestOf, services)));',
    'const judged = []; for (const invocation of invocations) judged.push(await call(invocation, attributes, requestOf, services));',
  ),
  slips(
    'a webhook that fails and may be ignored takes with it what those before it changed',
    ['webhook'],
    [
      {
        file: 'admission/webhooks/mutation.ts',
        from: '  async first(): Promise<boolean> {',
        to: '  async first(): Promise<boolean> {\n    (this as any).sent = cloneJson(this.#attributes.object);',
      },
      {
        file: 'admission/webhooks/mutation.ts',
        from: "    if (judged.outcome === 'ignored') {",
        to: "    if (judged.outcome === 'ignored') {\n      this.#attributes.object = (this as any).sent;",
      },
    ],
  ),
  slip(
    'a webhook is told a timeout of ten seconds, whatever its own is',
    ['webhook'],
    'admission/webhooks/webhook-client.ts',
    '`${target.text}?timeout=${timeoutMs / 1000}s`',
    '`${target.text}?timeout=10s`',
  ),
  slip(
    'who is named for the usual port of a host is shown at any',
    ['admission'],
    'admission/webhook-credentials.ts',
    'const names = port === 443 ? [host, withPort] : [withPort];',
    'const names = port === 443 ? [host, withPort] : [withPort, host];',
  ),
];
