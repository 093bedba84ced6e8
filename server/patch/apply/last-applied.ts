import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { decodeJsonText } from '../../schema/json.ts';
import type { Structure } from '../../schema/structure.ts';
import { checkTyped } from './check-typed.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet, noFields } from './field-set.ts';
import { fieldSetOf, UntypedValue } from './typed-value.ts';

/** The manager for which the annotation of client-side apply counts. */
export const kubectl = 'kubectl';
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Bytes that all annotations of an object may take together. */
const maximumAnnotations = 256 * 1024;

/** The fields that kubectl wrote by client-side apply and that still hold what it wrote. */
export function fieldsAsLastApplied(live: KubeObject, apiVersion: string, structure: Structure): FieldSet {
  const config = parse(live.metadata.annotations?.[annotation]);
  // What could not be applied as it is says nothing of who wrote what.
  if (config?.apiVersion !== apiVersion || checkTyped(config, structure).length > 0) return noFields;
  try {
    const { added, modified, removed } = compare(config, live as unknown as JsonObject, structure);
    return [added, modified, removed].reduce(difference, fieldSetOf(config, structure));
  } catch (error) {
    if (error instanceof UntypedValue) return noFields;
    throw error;
  }
}

function parse(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const { value } = decodeJsonText(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Writes the applied configuration into the annotation of an object that has it, in place. */
export function renewLastApplied(object: JsonObject, config: JsonObject): void {
  const metadata = object['metadata'];
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  if (!isJsonObject(annotations) || !Object.hasOwn(annotations, annotation) || !annotations[annotation]) return;
  annotations[annotation] = `${escapeMarkup(canonicalJson(withoutAnnotation(config)))}\n`;
  if (bytesOf(annotations) > maximumAnnotations) delete annotations[annotation];
}

function withoutAnnotation(config: JsonObject): Json {
  const metadata = config['metadata'];
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return config;
  const { [annotation]: _, ...annotations } = metadata['annotations'];
  return { ...config, metadata: { ...metadata, annotations } };
}

/** As kubectl itself writes JSON: safe inside markup. */
const escapeMarkup = (text: string) =>
  text.replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

const bytesOf = (annotations: JsonObject) =>
  Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
