import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import { dns1035Label } from '../base/names.ts';
import type { ConversionClient, DefinitionConversion } from './definition-shape.ts';

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
  if (!client) return [required(clientPath, 'required when strategy is set to Webhook')];
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    return [required(clientPath, 'exactly one of url or service is required')];
  }
  return url === undefined ? serviceErrors(service ?? {}) : urlErrors(url);
}

/** Scheme, host with user, path, query and fragment; each may be missing. */
const urlParts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/;

function urlErrors(url: string): FieldError[] {
  const at = clientPath.child('url');
  const parts = urlParts.exec(url);
  if (!parts || /[\s\p{Cc}]|%(?![0-9a-fA-F]{2})|^:/u.test(url))
    return [required(at, 'url must be a valid URL: https://host[:port]/path')];
  const [, scheme = '', authority = '', query = '', fragment = ''] = parts;
  const [, user = '', host = ''] = /^(?:(.*)@)?(.*)$/.exec(authority) ?? [];
  const errors: FieldError[] = [];
  const refuse = (part: string, why: string) => errors.push(invalidValue(at, part, why));
  if (scheme.toLowerCase() !== 'https') refuse(scheme, "'https' is the only allowed URL scheme");
  if (!host) refuse(host, 'host must be specified');
  if (user) refuse(user, 'user information is not permitted in the URL');
  if (fragment) refuse(fragment, 'fragments are not permitted in the URL');
  if (query) refuse(query, 'query parameters are not permitted in the URL');
  return errors;
}

function serviceErrors({
  namespace,
  name,
  path: urlPath,
  port = 443,
}: NonNullable<ConversionClient['service']>): FieldError[] {
  const at = clientPath.child('service');
  const errors: FieldError[] = [];
  // Real servers name the other of the two.
  if (!name) errors.push(required(at.child('namespace'), 'a service has a namespace and a name'));
  if (!namespace) errors.push(required(at.child('name'), 'a service has a namespace and a name'));
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    errors.push(invalidValue(at.child('port'), port, 'port is not valid: must be between 1 and 65535'));
  }
  if (urlPath !== undefined && !/^(?:\/|(?:\/[^/?#]+)+\/?)$/.test(urlPath)) {
    errors.push(invalidValue(at.child('path'), urlPath, "must begin with '/' and hold no empty segment"));
  }
  return errors;
}
