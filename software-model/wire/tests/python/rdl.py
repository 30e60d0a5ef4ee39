"""Elaborates a SystemRDL file and prints one line per field: register, address, field, lsb, bits, reset, access."""

import sys

from systemrdl import RDLCompiler
from systemrdl.node import FieldNode

compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
for node in compiler.elaborate().top.descendants(unroll=True):
    if isinstance(node, FieldNode):
        access = node.get_property("onwrite") or node.get_property("sw")
        print(node.parent.get_path_segment(array_suffix=" {index}"), node.parent.absolute_address, node.inst_name,
              node.low, node.width, node.get_property("reset"), access.name)
