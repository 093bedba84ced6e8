import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { dnsSubdomain } from '../../base/names.ts';
import { portNumber, requiredText } from '../field-rules.ts';
import type { WebhookClientConfig } from './webhook-shape.ts';

/** Where a webhook is called: a URL or a Service, never both. Also for conversion webhooks. */
export function validateClientConfig(config: WebhookClientConfig = {}, at: FieldPath): FieldError[] {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined))
    return [required(at, 'exactly one of url or service is required')];
  return url === undefined
    ? validateService(service ?? {}, at.child('service'))
    : validateWebhookUrl(url, at.child('url'));
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

/** The generic form of RFC 3986, which keeps an empty host apart from a path. */
const form = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const hostForm = /^(?:\[[0-9a-fA-F:.%]+\]|[^\s<>"[\]^`{}|\\:]*)(?::\d*)?$/;
const badCharacters = /\p{Cc}|%(?![0-9A-Fa-f]{2})/u;

function parseUrl(text: string): UrlParts | undefined {
  const [, scheme = '', user, host = '', path = '', query, fragment] = form.exec(text) ?? [];
  if (badCharacters.test(text) || !hostForm.test(host)) return undefined;
  // Without a scheme, a colon in the first segment can only be a scheme that is missing or wrong.
  if (scheme === '' && path.split('/', 1)[0]?.includes(':')) return undefined;
  return { scheme: scheme.toLowerCase(), user, host, query, fragment };
}

const wanted = 'desired format: https://host[/path]';

function validateWebhookUrl(url: string, at: FieldPath): FieldError[] {
  const parts = parseUrl(url);
  if (!parts) return [required(at, `url must be a valid URL; ${wanted}`)];
  const { scheme, user, host, query, fragment } = parts;
  return [
    ...(scheme === 'https' ? [] : [invalidValue(at, scheme, `'https' is the only allowed URL scheme; ${wanted}`)]),
    ...(host === '' ? [invalidValue(at, '', `host must be provided; ${wanted}`)] : []),
    ...(user === undefined ? [] : [invalidValue(at, user, 'user information is not permitted in the URL')]),
    ...(fragment ? [invalidValue(at, fragment, 'fragments are not permitted in the URL')] : []),
    ...(query ? [invalidValue(at, query, 'query parameters are not permitted in the URL')] : []),
  ];
}

function validateService(service: NonNullable<WebhookClientConfig['service']>, at: FieldPath): FieldError[] {
  const { name, namespace, port, path } = service;
  return [
    // Real servers name the other of the two.
    ...requiredText(name, at.child('namespace'), 'a service has a namespace and a name'),
    ...requiredText(namespace, at.child('name'), 'a service has a namespace and a name'),
    ...portNumber(port, at.child('port')),
    ...(path === undefined ? [] : validatePath(path, at.child('path'))),
  ];
}

/** An absolute URL path without empty parts; a slash at the end may stand. */
function validatePath(path: string, at: FieldPath): FieldError[] {
  if (path === '' || path === '/') return [];
  const errors = path.startsWith('/') ? [] : [invalidValue(at, path, "must start with a '/'")];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...errors,
    ...segments.flatMap((segment, position) => {
      if (segment === '') return [invalidValue(at, path, `segment[${position}] may not be empty`)];
      return dnsSubdomain(segment).map((problem) => invalidValue(at, path, `segment[${position}]: ${problem}`));
    }),
  ];
}
