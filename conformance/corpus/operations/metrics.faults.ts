import { changeText } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const webhookMetrics = 'admission/webhooks/webhook-metrics.ts';

/** Metrics of what admission has refused. */
export default [
  slip(
    'rejections without a reason are not counted',
    ['metrics'],
    webhookMetrics,
    'if (outcome.rejected) rejections.inc({',
    "if (outcome.rejected && outcome.rejected !== 'calling_webhook_error') rejections.inc({",
  ),
  slip(
    'the code of a rejection is that of the answer to the webhook',
    ['metrics'],
    webhookMetrics,
    'error_type: outcome.rejected, rejection_code: code });',
    "error_type: outcome.rejected, rejection_code: operation === 'CREATE' ? code : '0' });",
  ),
  slip(
    'codes of rejections count as they are, however large',
    ['metrics'],
    webhookMetrics,
    'const largestCode = 600;',
    'const largestCode = Number.POSITIVE_INFINITY;',
  ),
  slip(
    'rejections by validating webhooks count as by mutating ones',
    ['metrics'],
    webhookMetrics,
    'if (outcome.rejected) rejections.inc({ name, operation, type, error_type',
    "if (outcome.rejected) rejections.inc({ name, operation, type: 'admit', error_type",
  ),
  slip(
    'reading the metrics sets them back, and DELETE reads them',
    ['metrics'],
    'request/paths.ts',
    "['/metrics', ({ info }, { metrics }) => (info.method === 'DELETE' ? metrics.reset() : metrics.answer())],",
    "['/metrics', ({ info }, { metrics }) => (!(info.method === 'DELETE') ? metrics.reset() : metrics.answer())],",
  ),
  slip(
    'refused requests are counted without saying at which step',
    ['metrics'],
    'admission/admission-metrics.ts',
    "of({ ...labels, rejected: 'true",
    "of({ rejected: 'true",
  ),
  slip(
    'a call that fails is counted as a refusal',
    ['metrics'],
    'admission/webhooks/webhook-call.ts',
    "rejected: 'calling_webhook_error' as const",
    "rejected: 'no_error' as const",
  ),
  fault(
    'metrics tell the operation of a rejection in small letters',
    ['metrics'],
    changeText(
      '',
      (text) => text.replaceAll(/operation="([A-Z]+)"/g, (_, name: string) => `operation="${name.toLowerCase()}"`),
      { path: /^\/metrics$/ },
    ),
  ),
  slip(
    'a failed call that is ignored is counted as a rejection',
    'metrics',
    'admission/webhooks/webhook-call.ts',
    "...(!webhook.ignoresFailure && { rejected: 'calling_webhook_error' as const }),",
    "rejected: 'calling_webhook_error' as const,",
  ),
  slip(
    'a rejection is counted under the name of the configuration',
    'metrics',
    'admission/webhooks/webhook-call.ts',
    'record({ name: webhook.name, type,',
    'record({ name: webhook.configuration, type,',
  ),
];
