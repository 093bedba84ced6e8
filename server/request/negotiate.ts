import { perKey } from '../base/caches/memo.ts';
import { notAcceptable } from '../base/status-error.ts';

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

export type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The form in which an answer is sent. */
export interface Representation {
  readonly mediaType: MediaType;
  /** What the object is turned into, and in which version of `meta.k8s.io`. */
  readonly transform?: { readonly as: Transform; readonly version: 'v1' | 'v1beta1' };
}

export const plainJson: Representation = { mediaType: 'application/json' };

/** What an endpoint can answer. */
export interface Offer {
  readonly mediaTypes: readonly MediaType[];
  readonly transforms: readonly Transform[];
  /** In these, metadata alone can be had, too. */
  readonly metadataTypes?: readonly MediaType[];
  /** Documents that have one form: what is asked to be made of them is not looked at. */
  readonly oneForm?: boolean;
  /** `application/*` is taken, too. */
  readonly ranges?: boolean;
  /** The answer is a stream of events. */
  readonly streams?: boolean;
}

export const everyMediaType: readonly MediaType[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

const transforms: readonly string[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

interface Entry {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

const rememberAtMost = 200;
const acceptAtMost = 100;

/** The entries of an Accept header, best first. Clients repeat the same few headers, so the last ones are remembered. */
const parseAccept = perKey(
  (header: string): readonly Entry[] =>
    header
      .split(',')
      .slice(0, acceptAtMost)
      .map(parseEntry)
      .sort((a, b) => b.quality - a.quality || breadth(a) - breadth(b)),
  rememberAtMost,
);

/** Among equals, what names a type comes before what stands for many. */
const breadth = ({ type }: Entry): number => (type.startsWith('*/') ? 2 : type.endsWith('/*') ? 1 : 0);

function parseEntry(text: string): Entry {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals > 0)
      parameters.set(
        part.slice(0, equals).trim(),
        part
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      );
  }
  const quality = Number(parameters.get('q') ?? 1);
  // `q=0` and malformed values still accept the type: that is what clients in the field are used to.
  return { type, parameters, quality: quality > 0 && quality <= 1 ? quality : quality === 0 ? 0 : 1 };
}

/**
 * Picks the representation: the highest quality first, then the order of appearance. @throws 406
 */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  if (!accept || accept === 'application/json') return plainJson;
  let typeFits = false;
  for (const entry of parseAccept(accept)) {
    const mediaType = offered(entry, offer);
    if (!mediaType) continue;
    typeFits = true;
    const transform = transformOf(entry.parameters, mediaType, offer);
    if (transform === 'none') return { mediaType };
    if (transform) return { mediaType, transform };
  }
  throw notAcceptable([...offer.mediaTypes, ...(offer.streams ? streamTypes : [])], typeFits ? undefined : {});
}

/** In which events are streamed. */
export const streamTypes: readonly string[] = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

/** Whether any of the types that a client takes is among those on offer, in whatever form it wants them. */
export const takesSome = (accept: string | undefined, offer: Offer): boolean =>
  !accept || parseAccept(accept).some((entry) => offered(entry, offer));

/**
 * The form of an error: the first that the client reads as it is, whatever the endpoint offers. A table or metadata alone
 * is none, since in that form there is no Status.
 */
export function typeOfErrors(accept: string | undefined): MediaType {
  if (!accept || accept === 'application/json') return 'application/json';
  for (const { type, parameters } of parseAccept(accept)) {
    if (type === '*/*') break;
    const found = everyMediaType.find((mediaType) => mediaType === type);
    if (found && !parameters.has('as')) return found;
  }
  return 'application/json';
}

function offered({ type, parameters }: Entry, { mediaTypes, metadataTypes, ranges }: Offer): MediaType | undefined {
  if (type === '*/*' || (ranges && type === 'application/*')) return mediaTypes[0];
  const more = metadataTypes && /^PartialObjectMetadata/.test(parameters.get('as') ?? '') ? metadataTypes : [];
  return [...mediaTypes, ...more].find((mediaType) => mediaType === type);
}

/** `none` when the entry asks for none, undefined when it asks for one that cannot be had. */
function transformOf(parameters: Entry['parameters'], mediaType: MediaType, offer: Offer) {
  if (offer.oneForm) return 'none';
  if ((parameters.get('stream') ?? 'watch') !== 'watch') return undefined;
  const as = parameters.get('as');
  const group = parameters.get('g');
  const version = parameters.get('v');
  if (as === undefined && group === undefined && version === undefined) return 'none';
  if (!as || group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (!transforms.includes(as) || !offer.transforms.includes(as as Transform)) return undefined;
  if (as === 'Table' && mediaType === 'application/vnd.kubernetes.protobuf') return undefined;
  return { as: as as Transform, version } as const;
}

/** Whether `Accept-Encoding` allows gzip: a quality of nothing does not. */
export const acceptsGzip = (header: string | undefined) =>
  header !== undefined && /(?:^|,)\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:[,;]|$))|,|$)/.test(header);
