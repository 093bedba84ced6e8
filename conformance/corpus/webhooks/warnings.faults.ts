import { answerHeader } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const mutation = 'admission/webhooks/mutation.ts';

/** Warnings of webhooks, and how they are cut. */
export default [
  fault(
    'of what webhooks warn a delete is told nothing',
    ['webhook'],
    answerHeader('warning', undefined, { method: 'DELETE' }),
  ),
  slip(
    'warnings are cut after the first webhook that gives some',
    ['webhook'],
    'admission/webhooks/validation.ts',
    'for (const { warnings } of judged) for (const warning of warnings) attributes.warn(warning);',
    'for (const { warnings } of judged.slice(0, 1)) for (const warning of warnings) attributes.warn(warning);',
  ),
  slip(
    'warnings of validating webhooks are lost',
    'webhook',
    'admission/webhooks/validation.ts',
    'warnings = answer.warnings;',
    '',
  ),
  slip(
    'a second warning of a webhook is lost',
    ['webhook'],
    mutation,
    'for (const warning of answer.warnings) attributes.warn(warning);',
    'for (const warning of answer.warnings.slice(0, 1)) attributes.warn(warning);',
  ),
  slip(
    'warnings of mutating webhooks are lost',
    'webhook',
    mutation,
    'for (const warning of answer.warnings) attributes.warn(warning);',
    '',
  ),
  slip(
    'each webhook that changes an object warns of its managers',
    ['webhook'],
    mutation,
    'object && !keepsReadableManagers(next, object)',
    '(object)',
  ),
  slip(
    'the warnings of a webhook that refuses are lost',
    ['webhook'],
    mutation,
    'for (const warning of answer.warnings) attributes.warn(warning);\n      if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);',
    'if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);\n      for (const warning of answer.warnings) attributes.warn(warning);',
  ),
  slip(
    'warnings are cut where they are short, and whole where they are long',
    ['webhook', 'fields'],
    'request/warnings.ts',
    'if (this.#cuts || this.#length <= mostTogether) return;',
    'if (!(this.#cuts || this.#length <= mostTogether)) return;',
  ),
  slip(
    'warnings that are very long together are told whole',
    ['webhook', 'fields'],
    'request/warnings.ts',
    "return this.#cuts ? texts.map((text) => [...text].slice(0, mostEach).join('')) : texts;",
    'return (texts);',
  ),
  slip(
    'who rehearses hears no warnings of webhooks',
    ['webhook', 'dryrun'],
    'admission/webhooks/mutation.ts',
    'for (const warning of answer.warnings) attributes.warn(warning);',
    'if (!attributes.dryRun) for (const warning of answer.warnings) attributes.warn(warning);',
  ),
  slip(
    'of what webhooks warn of a status nothing is told',
    ['webhook'],
    'admission/webhooks/mutation.ts',
    'for (const warning of answer.warnings) attributes.warn(warning);',
    'if (!attributes.subresource) for (const warning of answer.warnings) attributes.warn(warning);',
  ),
  slip(
    'the warnings of a validating webhook that refuses are lost',
    ['webhook'],
    'admission/webhooks/validation.ts',
    `    warnings = answer.warnings;
    if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);`,
    `    if (!answer.allowed) throw new RejectedError(webhook.name, answer.status);
    warnings = answer.warnings;`,
  ),
  slip(
    'a webhook that fails and may be ignored silences the others',
    'webhook',
    'admission/webhooks/validation.ts',
    'for (const { warnings } of judged) for',
    "for (const { warnings } of judged.some(({ result }) => result.outcome === 'ignored') ? [] : judged) for",
  ),
];
