import { isIPv4, isIPv6 } from 'node:net';
import { durationText } from '../../cel/loose-duration.ts';
import { isRequestUri } from '../../cel/request-uri.ts';

/** Whether a text has a form. Linear in its length. */
export type Format = (text: string) => boolean;

const matching =
  (pattern: RegExp): Format =>
  (text) =>
    pattern.test(text);

const calendarDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 full-date that exists in the calendar. */
function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const longest = month === 2 && !leap ? 28 : (calendarDays[month - 1] ?? 0);
  return day >= 1 && day <= longest;
}

/** RFC 3339 date-time; the zone is needed. */
function isDateTime(text: string): boolean {
  const parts = /^(.{10})[tT](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|[+-]\d\d:\d\d)$/.exec(text);
  if (!parts?.[1] || !isDate(parts[1])) return false;
  return Number(parts[2]) <= 23 && Number(parts[3]) <= 59 && Number(parts[4]) <= 59;
}

const uuidOf = (third: string, fourth: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/');
  const bits = text.slice(slash + 1);
  if (slash < 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return false;
  const address = text.slice(0, slash);
  if (isPlainIPv4(address)) return Number(bits) <= 32;
  return isPlainIPv6(address) && Number(bits) <= 128;
}

/** Zeros in front of a number do not matter. */
const isPlainIPv4 = (text: string) => isIPv4(withoutLeadingZeros(text));

/** Without a zone; an IPv4 address may stand at the end. */
const isPlainIPv6 = (text: string) => !text.includes('%') && isIPv6(text.replace(/[^:]*$/, withoutLeadingZeros));

const withoutLeadingZeros = (text: string) => (text.includes('.') ? text.replace(/(^|\.)0+(?=\d)/g, '$1') : text);

/** A name of one part has a dash in its second place at most. */
const loneHost = /^[\p{L}\p{S}0-9](?:-?[\p{L}\p{S}0-9]{0,62})?$/u;
const hostLabel = /^[\p{L}\p{S}0-9](?:[\p{L}\p{S}0-9-]{0,61}[\p{L}\p{S}0-9])?$/u;
const topLevel = /^[\p{L}]{2,63}$/u;

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const labels = text.split('.');
  const last = labels.pop() ?? '';
  if (labels.length === 0) return loneHost.test(last);
  return topLevel.test(last) && labels.every((label) => hostLabel.test(label));
}

/** An address, or a display name with the address in angle brackets. */
function isEmail(text: string): boolean {
  const bracket = /^[^<>]*<([^<>]+)>\s*$/.exec(text);
  const address = (bracket?.[1] ?? text).trim();
  const at = address.lastIndexOf('@');
  if (at < 1) return false;
  return (
    isLocalPart(address.slice(0, at)) &&
    /^(?:[^\s@<>()[\],;:\\".]+(?:\.[^\s@<>()[\],;:\\".]+)*|\[[^\s[\]]+\])$/.test(address.slice(at + 1))
  );
}

const isLocalPart = (text: string) =>
  /^"(?:[^"\\\r\n]|\\.)*"$/.test(text) || /^[^\s@<>()[\],;:\\".]+(?:\.[^\s@<>()[\],;:\\".]+)*$/.test(text);

const digitsOf = (text: string) => text.replace(/[\s-]/g, '');

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return sum % 10 === 0;
}

/** The numbers that somebody issues: by how they begin, and how long they are then. */
const issued =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of such a number that satisfy the Luhn check, with anything else between them. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!issued.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** The formats that are checked, in their normal spelling: see {@link formatNamed}. */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isPlainIPv4],
  ['ipv6', isPlainIPv6],
  ['cidr', isCidr],
  [
    'mac',
    matching(
      /^(?:[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?)|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?)$/i,
    ),
  ],
  ['uuid', matching(uuidOf('[0-9a-f]{4}', '[0-9a-f]{4}'))],
  ['uuid3', matching(uuidOf('3[0-9a-f]{3}', '[0-9a-f]{4}'))],
  ['uuid4', matching(uuidOf('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'))],
  ['uuid5', matching(uuidOf('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'))],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matching(new RegExp(`^rgb\\(\\s*${octet}\\s*,\\s*${octet}\\s*,\\s*${octet}\\s*\\)$`))],
  ['byte', (text) => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)],
  ['date', isDate],
  ['duration', (text) => durationText(text) !== undefined],
  ['datetime', isDateTime],
]);

/** A format that is checked, by its name in a schema (`date-time` and `datetime` are one); unknown names are not. */
export const formatNamed = (name: string): Format | undefined => formats.get(name.replaceAll('-', ''));
