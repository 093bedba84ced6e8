import { slip } from '../fault.ts';

const formats = 'custom-resources/validation/formats.ts';
const uri = 'cel/request-uri.ts';

/** Forms of texts: where each begins and ends, and what URLs are made of. */
export default [
  slip(
    'a network of newer addresses may be of none',
    ['component'],
    formats,
    'return isPlainIPv6(address) && Number(bits)',
    'return Number(bits)',
  ),
  slip(
    'the number of a card that nobody issues is taken',
    ['component'],
    formats,
    '  if (!issued.test(digits)) return false;\n',
    '',
  ),
  slip('an hour has sixty-one minutes', ['component'], formats, 'Number(parts[3]) <= 59', 'Number(parts[3]) <= 60'),
  slip(
    'every fourth year is a leap year',
    ['component'],
    formats,
    'const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);',
    'const leap = year % 4 === 0;',
  ),
  slip(
    'a random UUID is of any variant',
    ['component'],
    formats,
    "uuidOf('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')",
    "uuidOf('4[0-9a-f]{3}', '[0-9a-f]{4}')",
  ),
  slip(
    'the number of a book is a long one',
    ['component'],
    formats,
    "['isbn', (text) => isIsbn10(text) || isIsbn13(text)]",
    "['isbn', isIsbn13]",
  ),
  slip(
    'the port of a URL may be a word',
    ['component'],
    uri,
    "return optionalPort.test(end < 0 ? '' : host.slice(end)) && hostText.test(text);",
    'return hostText.test(text);',
  ),
  slip(
    'a URL may have broken escapes',
    ['component'],
    uri,
    "(authority === undefined || isAuthority(authority)) && (!path.startsWith('/') || isEscaped(path));",
    'authority === undefined || isAuthority(authority);',
  ),
  slip(
    'what is behind the path of a URL is a part of it',
    ['component'],
    uri,
    'const pieces = piecesOf(before, true);',
    'const pieces = piecesOf(text, true);',
  ),
  slip(
    'the scheme of a URL is as somebody wrote it',
    ['component'],
    uri,
    'scheme.slice(0, -1).toLowerCase()',
    'scheme.slice(0, -1)',
  ),
  slip('a uuid of version three has to look like two of them', ['component'], formats, 'third}', 'fourth}'),
  slip(
    'an address in mail with a quoted name is none',
    ['component'],
    formats,
    '/^"(?:[^"\\\\\\r\\n]|\\\\.)*"$/.test(text) || /^[^\\s@<>()[\\],;:\\\\".]+(?:\\.[^\\s@<>()[\\],;:\\\\".]+)*$/.test(text)',
    '(/^[^\\s@<>()[\\],;:\\\\".]+(?:\\.[^\\s@<>()[\\],;:\\\\".]+)*$/.test(text))',
  ),
  slip('a host name of two hundred and fifty-five characters is none', ['component'], formats, ' > 255', ' >= 255'),
  slip(
    'an address with a nought in front is no address to a custom type',
    ['component'],
    formats,
    'withoutLeadingZeros(text)',
    'text',
  ),
];
