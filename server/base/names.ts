/**
 * The forms that names may have. Each check returns the problems it found, empty when the text is fine. One cause is
 * reported for each problem, so their number counts. All of them take linear time: the patterns are anchored and
 * never have two ways to match the same text.
 */
export type Problems = readonly string[];

const fine: Problems = [];
const one = (problem: string): Problems => [problem];
const bytes = (text: string) => Buffer.byteLength(text);

const tooLong = (limit: number) => `must have at most ${limit} characters`;

const labelPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const label1035Pattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const wordPattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const wordOrNothing = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** A text of at most `limit` bytes that fits a pattern, which takes ASCII alone. */
const form =
  (limit: number, pattern: RegExp, complaint: string) =>
  (text: string): Problems => {
    const fits = pattern.test(text);
    if (fits && text.length <= limit) return fine;
    return [...(bytes(text) > limit ? [tooLong(limit)] : []), ...(fits ? [] : [complaint])];
  };

const subdomainComplaint =
  "must be a lower-case DNS subdomain: letters, digits, '-' and '.', with a letter or digit at both ends of each part (such as 'example.com')";
const labelComplaint =
  "must be a lower-case DNS label: letters, digits and '-', with a letter or digit at both ends (such as 'my-name')";
const label1035Complaint =
  "must be a DNS-1035 label: lower-case letters, digits and '-', a letter first and a letter or digit last (such as 'abc-123')";
const wordComplaint = "must consist of letters, digits, '-', '_' and '.', with a letter or digit at both ends";

/** RFC 1123 subdomain, at most 253 bytes: `a.b-c.example`. */
export const dnsSubdomain = form(253, subdomainPattern, subdomainComplaint);

/** RFC 1123 label, at most 63 bytes: `my-name`. */
export const dnsLabel = form(63, labelPattern, labelComplaint);

/** RFC 1035 label, at most 63 bytes: as an RFC 1123 label, but a letter comes first. */
export const dns1035Label = form(63, label1035Pattern, label1035Complaint);

/** A wildcard host: `*.` and an RFC 1123 subdomain, at most 253 bytes in all. */
export function wildcardSubdomain(text: string): Problems {
  const wild = text.startsWith('*.') && subdomainPattern.test(text.slice(2));
  return [
    ...(bytes(text) > 253 ? [tooLong(253)] : []),
    ...(wild ? [] : ["must be '*.' followed by a lower-case DNS subdomain (such as '*.example.com')"]),
  ];
}

/** A host of at least two RFC 1123 labels; one dot at the end may stand. The empty text is up to the caller. */
export function fullyQualifiedDomain(text: string): Problems {
  const host = text.endsWith('.') ? text.slice(0, -1) : text;
  const problems = dnsSubdomain(host);
  if (problems.length > 0) return problems;
  const labels = host.split('.');
  if (labels.length < 2) return one('must be a domain of at least two parts with a dot between them');
  return labels.flatMap(dnsLabel);
}

/** `[prefix/]name`: keys of labels and annotations, condition types, finalizers, application protocols. */
export function qualifiedName(text: string): Problems {
  const slash = text.indexOf('/');
  if (slash !== text.lastIndexOf('/')) {
    return one(`must be a name with at most one prefix and '/' before it (such as 'example.com/MyName')`);
  }
  const name = slash < 0 ? text : text.slice(slash + 1);
  // What the pattern takes is ASCII.
  if (slash < 0 && name.length <= 63 && wordPattern.test(name)) return fine;
  const problems: string[] = [];
  if (slash === 0) problems.push('the prefix must not be empty');
  else if (slash > 0) for (const problem of dnsSubdomain(text.slice(0, slash))) problems.push(`the prefix ${problem}`);
  if (name === '') problems.push('the name must not be empty');
  else if (bytes(name) > 63) problems.push(`the name ${tooLong(63)}`);
  if (!wordPattern.test(name)) problems.push(`the name ${wordComplaint}`);
  return problems;
}

/** Value of a label: empty, or 1 to 63 letters, digits, `-`, `_`, `.` with a letter or digit at both ends. */
export const labelValue = form(63, wordOrNothing, `the value ${wordComplaint}, or be empty`);

/** Anything that can be one segment of a URL path: not `.` or `..`, neither `/` nor `%` in it. */
export function pathSegment(text: string): Problems {
  if (text === '.' || text === '..') return one(`must not be '${text}'`);
  return text === '' ? fine : pathSegmentPrefix(text);
}

/** Beginning of a path segment. */
const pathSegmentPrefix = (text: string): Problems =>
  ['/', '%'].filter((character) => text.includes(character)).map((character) => `must not contain '${character}'`);

const portNamePattern = /^[-a-z0-9]+$/;

/** Name of a port (RFC 6335): at most 15 lower-case letters, digits and `-`; a letter; no `--`, no `-` at an end. */
export function portName(text: string): Problems {
  const problems: string[] = [];
  if (bytes(text) > 15) problems.push(tooLong(15));
  if (!portNamePattern.test(text)) problems.push("must consist of lower-case letters, digits and '-'");
  if (!/[a-z]/.test(text)) problems.push('must contain at least one letter');
  if (text.includes('--')) problems.push("must not contain '--'");
  if (text.startsWith('-') || text.endsWith('-')) problems.push("must not begin or end with '-'");
  return problems;
}

/** Number of a port. */
export const portNumber = (port: number): Problems =>
  Number.isInteger(port) && port >= 1 && port <= 65535 ? fine : one('must be between 1 and 65535');

/** Key of a ConfigMap or Secret: 1 to 253 of `[-._a-zA-Z0-9]`, not `.`, not beginning with `..`. */
export function configMapKey(text: string): Problems {
  const problems = keyForm(text);
  if (text === '.') return [...problems, "must not be '.'"];
  return text.startsWith('..') ? [...problems, "must not be '..' or begin with it"] : problems;
}

const keyForm = form(253, /^[-._a-zA-Z0-9]+$/, "must consist of letters, digits, '-', '_' and '.'");

/** Name of an environment variable: letters, digits, `_`, `-`, `.`, no digit first, neither `.` nor `..` first. */
export function environmentName(text: string): Problems {
  const problems = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(text)
    ? []
    : ["must consist of letters, digits, '_', '-' and '.', with no digit first"];
  if (text === '.') problems.push("must not be '.'");
  else if (text.startsWith('..')) problems.push("must not be '..' or begin with it");
  return problems;
}

/** Name of an HTTP header: letters, digits and `-`. */
export const httpHeaderName = (text: string): Problems =>
  /^[-A-Za-z0-9]+$/.test(text) ? fine : one("must be an HTTP header name: letters, digits and '-'");

const schemePathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/**
 * `domain/path`: an RFC 1123 subdomain, a slash and a path of URL characters (`example.com/ingress-controller`).
 * The empty text is up to the caller.
 */
export function domainPrefixedPath(text: string): Problems {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return one("must be a domain, '/' and a path (such as 'acme.io/foo')");
  return [
    ...dnsSubdomain(text.slice(0, slash)).map((problem) => `the domain ${problem}`),
    ...(schemePathPattern.test(text.slice(slash + 1)) ? [] : ['the path must consist of URL path characters']),
  ];
}

/** Part of a name that a suffix is put behind: its last hyphen, and what stands before that, need not end a name. */
const asPrefix = (name: string) => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

const rule =
  (check: (text: string) => Problems) =>
  (name: string, prefix: boolean): Problems =>
    check(prefix ? asPrefix(name) : name);

/** Names of most objects. */
export const subdomainName = rule(dnsSubdomain);
/** Names of namespaces. */
export const labelName = rule(dnsLabel);
/** Names of services. */
export const serviceName = rule(dns1035Label);
/** Names of roles, bindings and signing requests. */
export const pathSegmentName = (name: string, prefix: boolean): Problems =>
  prefix ? pathSegmentPrefix(name) : pathSegment(name);
