// Zstandard frames made by the zstd tool, version 1.5.4, and what they contain.

/** Returns an integer below `limit` that looks random but follows from `i`. */
const digit = (i: number, limit: number): number => Math.floor(((Math.imul(i * i + i, 2654435761) >>> 0) / 2 ** 32) * limit);
const words = 'root pelvis spine neck head arm hand thigh calf foot'.split(' ');
const bytes = (length: number, value: (i: number) => number): Uint8Array => Uint8Array.from({ length }, (_, i) => value(i));
const frame = (base64: string): Uint8Array => Uint8Array.from(atob(base64), character => character.charCodeAt(0));

/** Frames that use every encoding of the format: literals, tables and repeated tables. */
export const zstdFrames: { name: string; content: Uint8Array; frame: Uint8Array }[] = [
  {
    name: 'Huffman weights and sequences in FSE codes, with a checksum',
    content: new TextEncoder().encode(Array.from({ length: 150 }, (_, i) => `${words[digit(i, 10)]}_`).join('')),
    frame: frame(
      'KLUv/WQgAmUGAHKDCxDA6yBiZHsLkSSSpAQAgHACzz9PDJpwEUMlHYzvLekOYKbBdj2Bp2oGUao6JwNTqIFX0Mr+GyCEKOXOPBKgQvACJkBMwAwUHIUts2Y5' +
        'u0nDu0QTgYzCf2I22wsQpFNKQx2pCuZJRpbwOUPLMumCHnMTEMVLNyNwBJSKCOk+QJd4YXecCOYltkl1kUNWCFO25FABg/3o+fMTKu3asVCGinJlLW3QKD8H' +
        'ta4gwu96CxjGW68tmBNhCWkbgKJ5fQA5Bg4plUUpiNuqAjQOWkQ=',
    ),
  },
  {
    name: 'direct Huffman weights, no sequences',
    content: bytes(60, i => digit(i, 12)),
    frame: frame('KLUv/SA8NQEAwoMIihEiESEhEGYsuwpHKvuyjjt+hqJutFfcNolojfho6CxyQgA='),
  },
  {
    name: 'default tables and blocks of one repeated byte',
    content: new Uint8Array(300_000),
    frame: frame('KLUv/aDgkwQATAAACAABAPz/ORACAgAQAAOfBAA='),
  },
  {
    name: 'four Huffman streams, a repeated Huffman table, tables of one symbol',
    content: bytes(270_000, i => (i % 500 ? 0 : digit(i / 500, 12))),
    frame: frame(
      'KLUv/aCwHgQANA4AJt4silIhEiERECoAKgApAGVYlpS0lgQvFUEKjiAF7byXjrWKkxxLWo7kHK0twzlBsob2ilW8NgxHOuslSQvSWtpqr622DCmt43jDO+2c' +
        'tSzpWOs4SfKGt7xgOZJTDENxkuQNAyCtpa3iFastKwUtSd46qUgntfNekLSWpLes885aXkpaS4L3TksnFekEaUiGYDiCMyxFsQRvWeedlSznWOs4S/KGZXjJ' +
        'ko61jvSW01Jq6QwvSdqA8VgCABL4//8fQcD6A/P+/v7+/u6949/f37+/v7+/z/j39/d3GP/+/v79/f39/f39u8fv+Pf39/f39+/v7+/v79/fMf7du8e/v79/' +
        '5/j39+/v7+/v7+/e39/f39/fefz7+/t3jH9///7+/v7+/u79/f39/f2dx7+/v3/H+Pf37+/v7+/v797f39/f3995/Pv7+3eMf3///v7+/v7+7v39/f39/Z3H' +
        'v7+/1/j39/ca/47j39/f39+9v7+/v7+/e39/f39/f/f+/v7+/u79/V3jcXzHf39/f39/f7fx7+/v39/f39/f372/v7+/v3t/f39/f3///v7+/v7+7v39/f39' +
        '/fv7+/v7+/v39/f39/f3ezQOABeeKyoAKgArAMXxVkprKdpxjuIoVkuGc4akreIojnO0YlkprXcUSVqSF7xkSUdrSZCKYWIJ3mnnrOUFSWtJ8N5pKbXzhncc' +
        'b6UTJGtYywqGIzjDUrQkLckb3vKCJUMajuCk9ZJkpTMkK1jJEARFei8daxVHkZykOIphHektpwUpOIYUFGlYigFnvSRZ6QzJGtayguFIQdLWcZJjScuRnGO1' +
        'JEjHEKxlDSsZUmpJstIJjoDxmBAQPwAS+P//fwT3Hov39/d3HP/+/u79/f39/f39+/f36br39/d37+/v7+/v7++/v7+/v79X1717f39/f39/f//9/f3dx7/X' +
        '+Pfv7+/v7+/v776/v7+/v9f4d+/v7+/v7+/ev7+/v7+/v3t/f3/n8e/v7+++v+f49/f39/f37+/v7+/v79+/v7+f172/v797t/Hv7+86/p2Pf//+/v7+/v7+' +
        '7v39nca/v39X49/f39/f39+9v7+/v7+/f//+/n7j39/f372/v7+/v7///v7+/v7+/u79/f39/f393ff3dxj//v7+7v39/f39/b2N//7+/v7+/u79/f39/f39' +
        '/fv39/f39/fv7+/v7+/v3HXv3j/qAwQtAgDoAAEAAwAHAAMAAgADAAcAAgABAAUACwAIAAgACwAPEADvKn5X8buK31X8ruJ3FY+v8LuK31X8ruJ3Fb+r+F3F' +
        '7yqCqWw=',
    ),
  },
  {
    name: 'tables of one symbol',
    content: bytes(280_000, i => Math.floor(i / 2000) * 7),
    frame: frame(
      'KLUv/aDARQQADAUANAQAAAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHQpQQ8AcALiww' +
        'zzzzzDPPPPPMM88888wzzzzzzDPPPPOYZ5555plnnnnmmWeeeeaZZ5555plnnnnmMc8888wzzzzzzDPPPPPMM88888wzzzzzzGOeeeaZZ54snwJEBQA0BMfO' +
        '1dzj6vH4/wYNFBsiKTA3PkVMU1phaG92fYSLkpmgp661vMPK0djf5u30+wIJEBceJSwzOkFIT1ZdZGtyeYCHjpVDWAEAEvj//38GAQZ/DOaZZ5555plnnnnm' +
        'mWeeeeaZZ5555plnnnnmM88888wzzzzzzDPPPPPMM88888wzzzzzzDOfeeaZZ5555plnnnnmmWeeeeaZZ5555plnnnnMM49wNgXdAABIlZyjqrG4v8bNCVQB' +
        'AC7MM88888wzzzzzPAc=',
    ),
  },
  {
    name: 'repeated tables, without the size of the content',
    content: bytes(270_000, i => (i % 251) ^ (i % 3000 ? 0 : i / 3000)),
    frame: frame(
      'KLUv/QBIVA4AZBIAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEFCQ0RFRkdISUpLTE1O' +
        'T1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGio6Slpqeo' +
        'qaqrrK2ur7CxsrO0tba3uLm6u7y9vr/AwcLDxMXGx8jJysvMzc7P0NHS09TV1tfY2drb3N3e3+Dh4uPk5ebn6Onq6+zt7u/w8fLz9PX29/j5+u7h1M+6taCT' +
        'hol8Z1JdSCs+MQQf7/j1ztOkqbqHkJ1WS3xxYh8IBT4j08ZWqBH6/f8OAHtnDhL4//9/gIF/FHA2i2VsFovZLJazWyxnZ7GczWI5m8ViNovl7BbL2VksZ7NY' +
        'zmaxmM1iObvFcnYWy9kslrNZLGazWM5usZydxXI2i+VsFovZLJazWyxnZ7GczWI5m8ViNovl7BbL2VksZ7NYzmaxmM1iObvFcnYWy9kslrNZLGazWM5usZyd' +
        'xXI2i+VsY7GYlZ69rvx+WQVEBgDEAs3455KBlKu+tUBfaml8AxYdKDfHrKGWi/j14t/EyT4jEB0Kd3xxRlujvomEWPgS+P//f34Bw/ADdDibxTI2i4VsFsvZ' +
        'L5ayu1jOZrGU7WIh28Wy7BbL2VksZbNYznaxkO1iKbvFcnYWS9kslrJdLGSzWJrdYjm7i6VsF8vZLhayWSxnv1jK7mIpm8VytouFbBdL2VssZ3exnM1iKZvF' +
        'YraLpewXS9lZLGezWMpmsZDtYim7xdLsLJazXSxlu1jMdrEEd9bcI4UAABCf4gX8bBSL2CsWzJ4n6gg=',
    ),
  },
];
