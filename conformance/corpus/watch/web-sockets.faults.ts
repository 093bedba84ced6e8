import { slip } from '../fault.ts';

const webSocket = 'request/web-socket.ts';
const watching = 'request/verbs/watch.ts';

/** Watches over a WebSocket. */
export default [
  slip(
    'a message of a watch over a WebSocket says no length',
    ['watch'],
    webSocket,
    'head.writeUInt16BE(length, 2);',
    '',
  ),
  slip(
    'a client of a watch over a WebSocket may not say more than a little',
    ['watch'],
    webSocket,
    'const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));',
    'const length = short < 126 ? short : (Number(bytes.readBigUInt64BE(2)));',
  ),
  slip(
    'a watch in protobuf over a WebSocket is sent as text',
    ['watch', 'content'],
    webSocket,
    "contentType.includes('protobuf') ? 'protobuf' : contentType === 'application/json' ? 'json' : 'other';",
    "(contentType === 'application/json' ? 'json' : 'other');",
  ),
  slip(
    'what clients say over a WebSocket is answered as it was masked',
    ['watch'],
    webSocket,
    'if (dataAt > maskAt)\n    for (let at = 0; at < length; at++) payload[at] = (payload[at] as number) ^ (bytes[maskAt + (at % 4)] as number);',
    '',
  ),
  slip(
    'a watch over a WebSocket begins with what is there, whatever version it is given',
    ['watch'],
    watching,
    'revision: version > 0 ? version : undefined,',
    'revision: version > 0 && !isWebSocket(exchange) ? version : undefined,',
  ),
  slip(
    'a watch over a WebSocket does not look at labels',
    ['watch', 'params'],
    watching,
    'const selection = selectionOf(call.resource, {',
    'const selection = selectionOf(call.resource, isWebSocket(exchange) ? { fieldSelector: parameters.fieldSelector } : {',
  ),
  slip(
    'a long message of a watch over a WebSocket says its length in four bytes',
    ['watch'],
    webSocket,
    'head.writeBigUInt64BE(BigInt(length), 2);',
    'head.writeUInt32BE(length, 2);',
  ),
];
