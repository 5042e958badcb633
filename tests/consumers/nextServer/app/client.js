'use client';
import { open } from 'rigcast';
import { useEffect } from 'react';

export default function Client() {
  useEffect(() => {
    globalThis.openFile = open;
  }, []);
  return null;
}
