import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dns1035Label } from '../../base/names.ts';
import { validateClientConfig } from '../../kinds/admissionregistration/client-config-rules.ts';
import type { ConversionClient, DefinitionConversion } from '../definition-shape.ts';

const strategies = ['None', 'Webhook'];
const path = FieldPath.of('spec', 'conversion');
const clientPath = path.child('webhookClientConfig');
const versionsPath = path.child('conversionReviewVersions');

/** The versions of ConversionReview that this server speaks. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** How objects are converted between versions, and the webhook that does it. `keepsUnknown`: no version has a schema. */
export function validateConversion(conversion: DefinitionConversion, keepsUnknown = false): FieldError[] {
  const { strategy = '', webhook } = conversion;
  if (strategy === 'Webhook') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    return [
      ...(keepsUnknown ? [invalidValue(path.child('strategy'), strategy, why)] : []),
      ...reviewVersionErrors(webhook?.conversionReviewVersions ?? []),
      ...clientErrors(webhook?.clientConfig),
    ];
  }
  const errors: FieldError[] = [];
  if (!strategy) errors.push(required(path.child('strategy')));
  else if (!strategies.includes(strategy)) errors.push(notSupported(path.child('strategy'), strategy, strategies));
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) errors.push(forbiddenField(clientPath, why));
  if (webhook?.conversionReviewVersions?.length) errors.push(forbiddenField(versionsPath, why));
  return errors;
}

function reviewVersionErrors(versions: readonly string[]): FieldError[] {
  if (versions.length === 0) return [required(versionsPath)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    const at = versionsPath.index(i);
    if (seen.has(version)) errors.push(invalidValue(at, version, 'must not be named twice'));
    seen.add(version);
    errors.push(...dns1035Label(version).map((problem) => invalidValue(at, version, problem)));
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalidValue(versionsPath, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}

function clientErrors(client: ConversionClient | undefined): FieldError[] {
  return client
    ? validateClientConfig(client, clientPath)
    : [required(clientPath, 'required when strategy is set to Webhook')];
}
