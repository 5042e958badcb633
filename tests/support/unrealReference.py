# PYTHONPATH=FOLDER python3 tests/support/unrealReference.py FILE.psk FILE.psa: what psk_psa_py, a reader of PSK and PSA by the author of Blender's add-on, finds in both, as JSON.
import json
import sys

from psk_psa_py.psa.reader import PsaReader
from psk_psa_py.psk.reader import read_psk_from_file


def text(name):
    return name.decode('windows-1252') if isinstance(name, bytes) else name


psk = read_psk_from_file(sys.argv[1])
found = {
    'bones': [[text(bone.name), bone.parent_index, bone.location.x, bone.location.y, bone.location.z] for bone in psk.bones],
    'points': [[point.x, point.y, point.z] for point in psk.points],
    'wedges': len(psk.wedges),
    'faces': len(psk.faces),
    'materials': [text(material.name) for material in psk.materials],
    'influenced': len({weight.point_index for weight in psk.weights}),
}
with PsaReader(sys.argv[2]) as psa:
    found['motions'] = [
        {
            'name': text(sequence.name),
            'frames': sequence.frame_count,
            'rate': sequence.fps,
            'keys': len(psa.read_sequence_keys(text(sequence.name))),
        }
        for sequence in psa.sequences.values()
    ]
print(json.dumps(found))
